// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CBlueCapLinux.h"
#if defined(__linux__)
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int checked(int result) { return result < 0 ? -errno : result; }

int bluecap_epoll_create(void) { return checked(epoll_create1(EPOLL_CLOEXEC)); }

int bluecap_eventfd(void) { return checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

static int control(int epoll, int operation, int fd, uint32_t interest, uint64_t token) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = ((interest & BLUECAP_READ) ? EPOLLIN : 0) | ((interest & BLUECAP_WRITE) ? EPOLLOUT : 0);
    event.data.u64 = token;
    return checked(epoll_ctl(epoll, operation, fd, &event));
}

int bluecap_epoll_add(int epoll, int fd, uint32_t interest, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, fd, interest, token);
}

int bluecap_epoll_change(int epoll, int fd, uint32_t interest, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, fd, interest, token);
}

int bluecap_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int bluecap_epoll_wait(int epoll, bluecap_ready *out, int capacity, int milliseconds) {
    struct epoll_event events[64];
    if (capacity > 64) capacity = 64;
    int count = epoll_wait(epoll, events, capacity, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        uint32_t bits = events[i].events;
        out[i].token = events[i].data.u64;
        out[i].ready = ((bits & EPOLLIN) ? BLUECAP_READ : 0) | ((bits & EPOLLOUT) ? BLUECAP_WRITE : 0)
            | ((bits & (EPOLLHUP | EPOLLERR)) ? BLUECAP_HANGUP : 0);
    }
    return count;
}

bool bluecap_pause(int fd, int64_t nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    struct pollfd entry = {fd, POLLIN, 0};
    return ppoll(&entry, 1, &time, NULL) > 0;
}

void bluecap_eventfd_signal(int fd) {
    uint64_t one = 1;
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {}
}

void bluecap_eventfd_clear(int fd) {
    uint64_t value;
    while (read(fd, &value, sizeof value) < 0 && errno == EINTR) {}
}

int bluecap_timer_create(void) { return checked(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC)); }

void bluecap_timer_set(int fd, int64_t nanoseconds) {
    struct itimerspec times = {{0, 0}, {nanoseconds / 1000000000, nanoseconds % 1000000000}};
    timerfd_settime(fd, TFD_TIMER_ABSTIME, &times, NULL);
}

void bluecap_timer_wait(int fd) {
    uint64_t expirations;
    while (read(fd, &expirations, sizeof expirations) < 0) {
        if (errno == EINTR) continue;
        // A program that closes descriptors which are not its own has timers a tenth of a second late.
        poll(NULL, 0, 100);
        return;
    }
}

void bluecap_thread_setup(const char *name) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_setname_np(pthread_self(), name);
}

int bluecap_management_socket(void) {
    // <bluetooth/hci.h> belongs to a package that a build need not have.
    enum { HCI_PROTOCOL = 1, NO_DEVICE = 0xFFFF, CONTROL_CHANNEL = 3 };
    struct {
        sa_family_t family;
        uint16_t device, channel;
    } address = {AF_BLUETOOTH, NO_DEVICE, CONTROL_CHANNEL};
    int fd = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, HCI_PROTOCOL);
    if (fd < 0) return -errno;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int error = errno;
    close(fd);
    return -error;
}

// <bluetooth/l2cap.h> belongs to a package that a build need not have. Numbers are little endian in memory.
enum {
    L2CAP_PROTOCOL = 0,
    BLUETOOTH_LEVEL = 274,
    SECURITY_OPTION = 4,
    SEND_LENGTH_OPTION = 12,
    RECEIVE_LENGTH_OPTION = 13
};

struct channel_name {
    sa_family_t family;
    uint8_t psm[2];
    uint8_t address[6];
    uint8_t cid[2];
    uint8_t type;
};

static struct channel_name channel_name(const uint8_t *address, uint16_t psm) {
    struct channel_name name;
    memset(&name, 0, sizeof name);
    name.family = AF_BLUETOOTH;
    name.psm[0] = psm & 0xFF;
    name.psm[1] = psm >> 8;
    memcpy(name.address, address, 6);
    name.type = address[6];
    return name;
}

int bluecap_channel_socket(void) {
    return checked(socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, L2CAP_PROTOCOL));
}

int bluecap_channel_accept(int fd) { return checked(accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

int bluecap_channel_bind(int fd, const uint8_t *address, uint16_t psm) {
    struct channel_name name = channel_name(address, psm);
    return checked(bind(fd, (struct sockaddr *)&name, sizeof name));
}

int bluecap_channel_connect(int fd, const uint8_t *address, uint16_t psm) {
    struct channel_name name = channel_name(address, psm);
    return checked(connect(fd, (struct sockaddr *)&name, sizeof name));
}

int bluecap_channel_listen(int fd, int backlog) { return checked(listen(fd, backlog)); }

int bluecap_channel_secure(int fd, uint8_t level) {
    uint8_t security[2] = {level, 0};
    return checked(setsockopt(fd, BLUETOOTH_LEVEL, SECURITY_OPTION, security, sizeof security));
}

int bluecap_channel_receive_length(int fd, uint16_t length) {
    return checked(setsockopt(fd, BLUETOOTH_LEVEL, RECEIVE_LENGTH_OPTION, &length, sizeof length));
}

int bluecap_channel_name(int fd, bool is_peer, uint8_t *address, uint16_t *psm) {
    struct channel_name name;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    int status = is_peer ? getpeername(fd, (struct sockaddr *)&name, &size)
                         : getsockname(fd, (struct sockaddr *)&name, &size);
    if (status < 0) return -errno;
    memcpy(address, name.address, 6);
    address[6] = name.type;
    *psm = (uint16_t)(name.psm[0] | name.psm[1] << 8);
    return 0;
}

int bluecap_channel_lengths(int fd, uint16_t *sent, uint16_t *received) {
    socklen_t size = sizeof *sent;
    if (getsockopt(fd, BLUETOOTH_LEVEL, SEND_LENGTH_OPTION, sent, &size) < 0) return -errno;
    size = sizeof *received;
    return checked(getsockopt(fd, BLUETOOTH_LEVEL, RECEIVE_LENGTH_OPTION, received, &size));
}

int bluecap_socket_error(int fd) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 ? errno : error;
}

int bluecap_packet_pair(int fds[2]) {
    return checked(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds));
}

int bluecap_receive_packets(int fd, uint8_t *buffer, int stride, int capacity, int *lengths) {
    struct mmsghdr headers[64];
    struct iovec vectors[64];
    if (capacity > 64) capacity = 64;
    memset(headers, 0, sizeof headers[0] * (size_t)capacity);
    for (int i = 0; i < capacity; i++) {
        vectors[i].iov_base = buffer + (size_t)i * (size_t)stride;
        vectors[i].iov_len = (size_t)stride;
        headers[i].msg_hdr.msg_iov = &vectors[i];
        headers[i].msg_hdr.msg_iovlen = 1;
    }
    int count = recvmmsg(fd, headers, (unsigned)capacity, MSG_DONTWAIT, NULL);
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++)
        lengths[i] = (headers[i].msg_hdr.msg_flags & MSG_TRUNC) ? BLUECAP_OVERSIZED : (int)headers[i].msg_len;
    // The end reads as packets of no bytes; it has come only when the socket has hung up and holds nothing more.
    if (count > 0 && lengths[count - 1] == 0) {
        struct pollfd state = {.fd = fd, .events = 0};
        int waiting = 0;
        int hung_up = poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL));
        if (hung_up && (ioctl(fd, FIONREAD, &waiting) < 0 || waiting == 0))
            for (int i = count - 1; i >= 0 && lengths[i] == 0; i--) lengths[i] = BLUECAP_ENDED;
    }
    return count;
}

long bluecap_receive_stream(int fd, void *buffer, size_t capacity, int *fds, int *fd_count) {
    union {
        char bytes[CMSG_SPACE(BLUECAP_DESCRIPTORS * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec vector = {.iov_base = buffer, .iov_len = capacity};
    struct msghdr header = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *fd_count = 0;
    long count = recvmsg(fd, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0) return errno == EWOULDBLOCK ? -EAGAIN : -errno;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
        if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_RIGHTS) continue;
        int more = (int)((item->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        if (more > BLUECAP_DESCRIPTORS - *fd_count) more = BLUECAP_DESCRIPTORS - *fd_count;
        memcpy(fds + *fd_count, CMSG_DATA(item), (size_t)more * sizeof(int));
        *fd_count += more;
    }
    if (header.msg_flags & MSG_CTRUNC) {
        for (int i = 0; i < *fd_count; i++) close(fds[i]);
        *fd_count = 0;
        return -ENOSPC;
    }
    return count;
}

long bluecap_send_stream(int fd, const void *bytes, size_t count, const int *fds, int fd_count) {
    union {
        char bytes[CMSG_SPACE(BLUECAP_DESCRIPTORS * sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1};
    if (fd_count > BLUECAP_DESCRIPTORS) return -EINVAL;
    if (fd_count > 0) {
        size_t length = (size_t)fd_count * sizeof(int);
        memset(&control, 0, sizeof control);
        header.msg_control = &control;
        header.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *item = CMSG_FIRSTHDR(&header);
        item->cmsg_level = SOL_SOCKET;
        item->cmsg_type = SCM_RIGHTS;
        item->cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(item), fds, length);
    }
    ssize_t sent;
    do {
        sent = sendmsg(fd, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) return errno == EWOULDBLOCK ? -EAGAIN : -errno;
    return sent;
}

int bluecap_send_packet(int fd, const uint8_t *bytes, size_t count) {
    ssize_t sent;
    do {
        sent = send(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}
#endif
