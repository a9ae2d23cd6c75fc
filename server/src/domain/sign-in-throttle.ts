export interface ThrottleRule {
  readonly triesMax: number;
  readonly windowMs: number;
}

export const accountRule: ThrottleRule = { triesMax: 10, windowMs: 15 * 60_000 };
export const addressRule: ThrottleRule = { triesMax: 100, windowMs: 60 * 60_000 };
/** Limits guesses at a six-digit code, of which three are valid at any time. */
export const dayRule: ThrottleRule = { triesMax: 50, windowMs: 24 * 60 * 60_000 };

export function windowStartMs({ windowMs }: ThrottleRule, nowMs: number): number {
  return nowMs - (nowMs % windowMs);
}

/** Returns the number of whole seconds until the next window, at least 1. */
export function secondsLeft(rule: ThrottleRule, nowMs: number): number {
  return Math.ceil((windowStartMs(rule, nowMs) + rule.windowMs - nowMs) / 1000);
}

/** Formats a duration rounded up, for example `40 seconds`, `12 minutes` or `3 hours`. */
export function formatWait(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns the network by which attempts are counted: the IPv4 address, or the /64 prefix of an IPv6 subscriber. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
