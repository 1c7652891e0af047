// SPDX-License-Identifier: MIT

@import ObjectiveC;
#pragma clang assume_nonnull begin
__attribute__((swift_name("DispatchObject")))
@interface OS_dispatch_object : NSObject
- (instancetype)init __attribute__((unavailable));
@end

__attribute__((swift_name("DispatchQueue"))) __attribute__((swift_attr("@Sendable")))
@interface OS_dispatch_queue : OS_dispatch_object
@end

__attribute__((swift_name("DispatchIO"))) __attribute__((swift_attr("@Sendable")))
@interface OS_dispatch_io : OS_dispatch_object
@end

__attribute__((swift_name("DispatchSource")))
@interface OS_dispatch_source : OS_dispatch_object
@end

__attribute__((swift_name("DispatchSourceProtocol")))
@protocol OS_dispatch_source <NSObject>
@end

__attribute__((swift_name("DispatchSourceRead")))
@protocol OS_dispatch_source_read <OS_dispatch_source>
@end

typedef OS_dispatch_queue *dispatch_queue_t;
#pragma clang assume_nonnull end
