// SPDX-License-Identifier: MIT

@import Dispatch;
@import ObjectiveC;
#pragma clang assume_nonnull begin
typedef double CFAbsoluteTime;
#define NS_ENUM(_type, _name) enum _name : _type _name; enum __attribute__((enum_extensibility(open))) _name : _type
#define NS_OPTIONS(_type, _name) enum __attribute__((flag_enum,enum_extensibility(open))) _name : _type _name; enum __attribute__((flag_enum,enum_extensibility(open))) _name : _type
#define NS_ERROR_ENUM(_domain, _name) enum _name : NSInteger _name; enum __attribute__((ns_error_domain(_domain))) _name : NSInteger
#define NS_SWIFT_NAME(_n) __attribute__((swift_name(#_n)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))
#define NS_TYPED_ENUM __attribute__((swift_wrapper(enum)))
@class NSString, NSDictionary;
@protocol NSCopying
@end

__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject <NSCopying>
@end

__attribute__((swift_bridge("Foundation.Data")))
@interface NSData : NSObject <NSCopying>
@end

__attribute__((swift_bridge("Foundation.UUID")))
@interface NSUUID : NSObject <NSCopying>
@end

@interface NSValue : NSObject
@end

NS_SWIFT_SENDABLE
@interface NSNumber : NSValue
@property (readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property (readonly) BOOL boolValue;
@end

__attribute__((swift_bridge("Swift.Array")))
@interface NSArray<ObjectType> : NSObject
@end

__attribute__((swift_bridge("Swift.Dictionary")))
@interface NSDictionary<KeyType, ObjectType> : NSObject
@end

NS_SWIFT_SENDABLE
__attribute__((swift_bridge("Swift.Error")))
@interface NSError : NSObject
@property (readonly, copy) NSString *domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSString *localizedDescription;
@end

typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);
NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@end

@interface NSNotification : NSObject
@property (readonly, copy) NSNotificationName name;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(NotificationCenter)
@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (id <NSObject>)addObserverForName:(nullable NSNotificationName)name object:(nullable id)object queue:(nullable NSOperationQueue *)queue usingBlock:(void (^ NS_SWIFT_SENDABLE)(NSNotification *notification))block;
- (void)removeObserver:(id)observer;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(FileHandle)
@interface NSFileHandle : NSObject
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardError NS_SWIFT_NAME(standardError);
@property (class, readonly, strong) NSFileHandle *fileHandleWithStandardOutput NS_SWIFT_NAME(standardOutput);
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
- (instancetype)initWithBlock:(void (^ NS_SWIFT_SENDABLE)(void))block;
- (void)start;
@end

typedef NSString *NSErrorDomain;
typedef NS_ENUM(NSUInteger, NSStreamStatus) {
    NSStreamStatusNotOpen = 0,
    NSStreamStatusOpening = 1,
    NSStreamStatusOpen = 2,
    NSStreamStatusReading = 3,
    NSStreamStatusWriting = 4,
    NSStreamStatusAtEnd = 5,
    NSStreamStatusClosed = 6,
    NSStreamStatusError = 7
} NS_SWIFT_NAME(Stream.Status);

@protocol NSStreamDelegate;
NS_SWIFT_NAME(Stream)
@interface NSStream : NSObject
@property (nullable, assign) id <NSStreamDelegate> delegate;
@property (nullable, readonly, copy) NSError *streamError;
@property (readonly) NSStreamStatus streamStatus;
- (void)open;
- (void)close;
@end

typedef NS_OPTIONS(NSUInteger, NSStreamEvent) {
    NSStreamEventNone = 0,
    NSStreamEventOpenCompleted = 1UL << 0,
    NSStreamEventHasBytesAvailable = 1UL << 1,
    NSStreamEventHasSpaceAvailable = 1UL << 2,
    NSStreamEventErrorOccurred = 1UL << 3,
    NSStreamEventEndEncountered = 1UL << 4
} NS_SWIFT_NAME(Stream.Event);

NS_SWIFT_NAME(StreamDelegate)
@protocol NSStreamDelegate <NSObject>
@optional
- (void)stream:(NSStream *)aStream handleEvent:(NSStreamEvent)eventCode;
@end

NS_SWIFT_NAME(InputStream)
@interface NSInputStream : NSStream
@property (readonly) BOOL hasBytesAvailable;
- (NSInteger)read:(unsigned char *)buffer maxLength:(NSUInteger)len;
@end

NS_SWIFT_NAME(OutputStream)
@interface NSOutputStream : NSStream
@property (readonly) BOOL hasSpaceAvailable;
- (NSInteger)write:(const unsigned char *)buffer maxLength:(NSUInteger)len;
@end
#pragma clang assume_nonnull end

typedef struct __attribute__((objc_bridge_mutable(NSInputStream))) __CFReadStream *CFReadStreamRef;
typedef struct __attribute__((objc_bridge_mutable(NSOutputStream))) __CFWriteStream *CFWriteStreamRef;
extern void CFReadStreamSetDispatchQueue(CFReadStreamRef stream, dispatch_queue_t q);
extern void CFWriteStreamSetDispatchQueue(CFWriteStreamRef stream, dispatch_queue_t q);
