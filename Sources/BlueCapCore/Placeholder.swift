// Placeholder until this target's own files land.
