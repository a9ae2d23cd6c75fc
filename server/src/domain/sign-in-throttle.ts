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
