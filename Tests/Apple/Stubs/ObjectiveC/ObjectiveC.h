// SPDX-License-Identifier: MIT

#pragma clang assume_nonnull begin
typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

@protocol NSObject
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init;
@property (readonly) NSUInteger hash;
- (BOOL)isEqual:(nullable id)object;
@end
#pragma clang assume_nonnull end
