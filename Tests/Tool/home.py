# SPDX-License-Identifier: MIT
# What home_assistant.py and home_proxy.py share: the real Home Assistant. The interpreter is that of an environment in which it is installed.
import json
import os
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from gateway_scene import free_port, path, within, write

ENTRIES, FLOWS = "/api/config/config_entries/entry", "/api/config/config_entries/flow"


class HomeAssistant:
    """A fresh Home Assistant without pages, on loopback, with one user."""

    def __init__(self, *lines: str, components: dict[str, str] | None = None):
        """`lines` are further ones of its configuration, `components` integrations of one's own by their names."""
        self.base = f"http://127.0.0.1:{free_port()}"
        self.token = ""
        self.folder = path("home-assistant")
        self.log = os.path.join(self.folder, "home-assistant.log")
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "configuration.yaml"), "w", encoding="utf-8") as file:
            file.write(f"http:\n  server_host: 127.0.0.1\n  server_port: {self.base.rsplit(':', 1)[1]}\napi:\nconfig:\n")
            file.writelines(f"{line}\n" for line in lines)
        for name, program in (components or {}).items():
            folder = os.path.join(self.folder, "custom_components", name)
            os.makedirs(folder)
            manifest = {"domain": name, "name": name, "version": "1.0.0", "dependencies": ["bluetooth"], "codeowners": [], "requirements": []}
            for file, text in (("__init__.py", program), ("manifest.json", json.dumps(manifest))):
                write(os.path.join(folder, file), text)
        self.start("/api/onboarding")
        self.join()

    def start(self, page: str) -> None:
        program = os.path.join(os.path.dirname(sys.executable), "hass")
        self.process = subprocess.Popen(
            [program, "--config", self.folder, "--skip-pip", "--log-file", self.log],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert within(90, lambda: self.answers(page)), "Home Assistant does not answer"

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def answers(self, page: str) -> bool:
        try:
            self.call("GET", page)
            return True
        except (OSError, ValueError):
            return False

    def call(self, method: str, page: str, body: dict | None = None, is_form: bool = False):
        data = None if body is None else (urllib.parse.urlencode(body) if is_form else json.dumps(body)).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded" if is_form else "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        with urllib.request.urlopen(urllib.request.Request(self.base + page, data, headers, method=method), timeout=20) as answer:
            return json.loads(answer.read() or "null")

    def join(self) -> None:
        """The steps that its pages ask of a new user."""
        client = self.base + "/"
        user = {"client_id": client, "name": "Test", "username": "test", "password": "test", "language": "en"}
        code = self.call("POST", "/api/onboarding/users", user)["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": client}
        self.token = self.call("POST", "/auth/token", grant, is_form=True)["access_token"]
        for page in ("core_config", "analytics"):
            self.call("POST", f"/api/onboarding/{page}", {})
        self.call("POST", "/api/onboarding/integration", {"client_id": client, "redirect_uri": client})

    def follow(self, handler: str, answers: dict[str, dict], *, flow: str | None = None, choice: str | None = None) -> None:
        """Fills in the forms of an integration: `answers` by the step that asks, `choice` of its menu. `flow` is one that has begun."""
        page = self.call("POST", FLOWS if flow is None else f"{FLOWS}/{flow}", {"handler": handler} if flow is None else {})
        while page["type"] in ("form", "menu"):
            assert not page.get("errors"), page
            answer = {"next_step_id": choice} if page["type"] == "menu" else answers.get(page["step_id"], {})
            page = self.call("POST", f"{FLOWS}/{page['flow_id']}", answer)
        assert page["type"] == "create_entry", page

    def state(self, entity: str) -> str | None:
        """The value that is shown; None without such an entity."""
        return (self.entity(entity) or {}).get("state")

    def entity(self, entity: str) -> dict | None:
        try:
            return self.call("GET", f"/api/states/{entity}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def complaints(self, *words: str) -> list[str]:
        """Its warnings and errors with one of the words, in their order."""
        with open(self.log, encoding="utf-8") as file:
            return [line for line in file if (" WARNING " in line or " ERROR " in line) and any(word in line.lower() for word in words)]
