// SPDX-License-Identifier: MIT

// System calls that Swift's Glibc module does not cover, with plain integers for arguments.
#pragma once
#if defined(__linux__)
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Interest and readiness bits of an epoll registration.
enum { BLUECAP_READ = 1, BLUECAP_WRITE = 2, BLUECAP_HANGUP = 4 };

typedef struct {
    uint64_t token;
    uint32_t ready;
} bluecap_ready;

// Each returns a descriptor (close on exec) or -errno.
int bluecap_epoll_create(void);
int bluecap_eventfd(void);

// Each returns 0 or -errno.
int bluecap_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token);
int bluecap_epoll_change(int epoll, int fd, uint32_t interest, uint64_t token);
int bluecap_epoll_remove(int epoll, int fd);

// Waits up to `milliseconds` (-1: without end) and fills `out`; returns the number of entries, 0 when interrupted.
int bluecap_epoll_wait(int epoll, bluecap_ready *out, int capacity, int milliseconds);

// Returns when the time has passed, or true when there is something to read before.
bool bluecap_pause(int fd, int64_t nanoseconds);

void bluecap_eventfd_signal(int fd);
void bluecap_eventfd_clear(int fd);

// A timer of the time since the machine was started, which passes while it is suspended, too.
int bluecap_timer_create(void);
// Has the timer expire when that time has come, and not at any time before; 0: never.
void bluecap_timer_set(int fd, int64_t nanoseconds);
// Returns when the timer has expired.
void bluecap_timer_wait(int fd);

// Names the calling thread and keeps the process's signals away from it.
void bluecap_thread_setup(const char *name);

// A socket of the kernel's Bluetooth management interface, non-blocking and close on exec. Returns it or -errno.
int bluecap_management_socket(void);

// Sockets of L2CAP: addresses have seven octets, the lowest first and the type behind them.
// Each returns a descriptor, non-blocking and close on exec, or -errno.
int bluecap_channel_socket(void);
int bluecap_channel_accept(int fd);
// Each returns 0 or -errno; a connection that has begun is -EINPROGRESS.
int bluecap_channel_bind(int fd, const uint8_t *address, uint16_t psm);
int bluecap_channel_connect(int fd, const uint8_t *address, uint16_t psm);
int bluecap_channel_listen(int fd, int backlog);
// The level of security of the link: 1 for none, 2 for encryption.
int bluecap_channel_secure(int fd, uint8_t level);
// The longest unit that is received.
int bluecap_channel_receive_length(int fd, uint16_t length);
// The name of this end, or of the peer.
int bluecap_channel_name(int fd, bool is_peer, uint8_t *address, uint16_t *psm);
// The longest units that the peer takes and that are received. Fails while there is no connection.
int bluecap_channel_lengths(int fd, uint16_t *sent, uint16_t *received);
// Why a connection has failed, which is forgotten with the call; 0 for one that has not.
int bluecap_socket_error(int fd);

// Two connected SEQPACKET sockets, non-blocking and close on exec. Returns 0 or -errno.
int bluecap_packet_pair(int fds[2]);

enum { BLUECAP_OVERSIZED = -1, BLUECAP_ENDED = -2 };

// Reads up to `capacity` (at most 64) packets with one recvmmsg, each into its own `stride` bytes of `buffer`.
// lengths[i] is the packet's length (0 is a packet too) or one of the values below.
// Returns the number of packets, 0 when there are none now, or -errno.
int bluecap_receive_packets(int fd, uint8_t *buffer, int stride, int capacity, int *lengths);

// The most descriptors that the kernel passes at a time.
enum { BLUECAP_DESCRIPTORS = 253 };

// Reads up to `capacity` bytes from a stream socket, without blocking, and the descriptors that came with them, close
// on exec, into `fds`, which has room for BLUECAP_DESCRIPTORS. Returns the number of bytes, 0 at the end, or -errno:
// -ENOSPC when descriptors were lost, as the process has no more; those that came are closed then.
long bluecap_receive_stream(int fd, void *buffer, size_t capacity, int *fds, int *fd_count);

// Sends as many of the bytes as a stream socket takes, without blocking and without SIGPIPE, and with the first of them
// up to BLUECAP_DESCRIPTORS descriptors. Returns the number of bytes or -errno.
long bluecap_send_stream(int fd, const void *bytes, size_t count, const int *fds, int fd_count);

// Sends one packet without blocking and without SIGPIPE. Returns 0 or -errno.
int bluecap_send_packet(int fd, const uint8_t *bytes, size_t count);
#endif
