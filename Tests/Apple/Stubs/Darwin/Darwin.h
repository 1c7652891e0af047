// SPDX-License-Identifier: MIT

typedef unsigned long size_t;
typedef long ssize_t;
typedef long time_t;
typedef long long off_t;
typedef unsigned short mode_t;
typedef unsigned int uid_t;

// Errors
#define ENOENT 2
#define ESPIPE 29
#define EINTR 4
#define EBADF 9
#define EWOULDBLOCK 35
#define ETIMEDOUT 60
#define ELOOP 62
int * _Nonnull __error(void);
char *strerror(int number);

// Time
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6
} clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);

// Threads
struct _opaque_pthread_t {
    long __sig;
    char __opaque[8176];
};
struct _opaque_pthread_attr_t {
    long __sig;
    char __opaque[56];
};
struct _opaque_pthread_mutex_t {
    long __sig;
    char __opaque[56];
};
struct _opaque_pthread_mutexattr_t {
    long __sig;
    char __opaque[8];
};
struct _opaque_pthread_cond_t {
    long __sig;
    char __opaque[40];
};
struct _opaque_pthread_condattr_t {
    long __sig;
    char __opaque[8];
};
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_cond_t pthread_cond_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;
pthread_t _Nonnull pthread_self(void);
int pthread_create(
    pthread_t _Nullable * _Nonnull thread, const pthread_attr_t * _Nullable attributes,
    void * _Nullable (* _Nonnull start)(void * _Nonnull), void * _Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
int pthread_mutex_init(pthread_mutex_t * _Nonnull mutex, const pthread_mutexattr_t * _Nullable attributes);
int pthread_mutex_lock(pthread_mutex_t * _Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t * _Nonnull mutex);
int pthread_mutex_destroy(pthread_mutex_t * _Nonnull mutex);
int pthread_cond_init(pthread_cond_t * _Nonnull condition, const pthread_condattr_t * _Nullable attributes);
int pthread_cond_destroy(pthread_cond_t * _Nonnull condition);
int pthread_cond_signal(pthread_cond_t * _Nonnull condition);
int pthread_cond_wait(pthread_cond_t * _Nonnull condition, pthread_mutex_t * _Nonnull mutex);
int pthread_cond_timedwait_relative_np(
    pthread_cond_t * _Nonnull condition, pthread_mutex_t * _Nonnull mutex, const struct timespec * _Nullable time);

// Files; those with "..." are in the overlay. `fstat` is one of the functions for whose use App Store Connect asks a reason, on all
// platforms but macOS: there is none of them here, so that a library that calls one does not compile.
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define F_SETFD 2
#define F_SETFL 4
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define SEEK_SET 0
#define SEEK_END 2
#if __is_target_os(macos)
struct stat {
    int st_dev;
    mode_t st_mode;
    unsigned short st_nlink;
    unsigned long long st_ino;
    uid_t st_uid;
    unsigned int st_gid;
    int st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    long long st_blocks;
    int st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
    int st_lspare;
    long long st_qspare[2];
};
int fstat(int descriptor, struct stat *status);
#endif
#define STDOUT_FILENO 1
int isatty(int descriptor);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t write(int descriptor, const void *bytes, size_t count);
int close(int descriptor);
int fsync(int descriptor);
off_t lseek(int descriptor, off_t offset, int origin);
int flock(int descriptor, int operation);
int mkdir(const char *path, mode_t mode);
int pipe(int ends[2]);
int renameat(int folder, const char *path, int other, const char *name);
int unlinkat(int folder, const char *path, int flags);

// Sockets
#define AF_UNIX 1
#define SOCK_STREAM 1
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
struct sockaddr {
    unsigned char sa_len;
    sa_family_t sa_family;
    char sa_data[14];
};
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int *sockets);
int connect(int descriptor, const struct sockaddr *address, socklen_t size);

// The process
#define SIGHUP 1
#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIG_UNBLOCK 2
typedef unsigned int sigset_t;
typedef void (*sig_t)(int);
void (*signal(int number, void (*handler)(int)))(int);
int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int raise(int number);
_Noreturn void _exit(int status);
char *getenv(const char *name);
uid_t geteuid(void);

// Numbers
double log10(double number);
double pow(double base, double exponent);
