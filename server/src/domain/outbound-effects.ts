export type OutboundScope = 'tenant' | 'actor' | 'recipient';

export interface OutboundLimit {
  readonly max: number;
  readonly per: 'hour' | 'day';
}

export interface OutboundEffect {
  readonly noun: string;
  readonly limits: Readonly<Partial<Record<OutboundScope, OutboundLimit>>>;
  /** Trials have separate limits because anyone can start one. */
  readonly trialLimit?: OutboundLimit;
  /** Whether administrators of a suspended tenant may still trigger the effect. */
  readonly isForSuspended?: boolean;
}

const perHour = (max: number): OutboundLimit => ({ max, per: 'hour' });
const perDay = (max: number): OutboundLimit => ({ max, per: 'day' });

const notice = { tenant: perDay(500), recipient: perDay(20) };

/**
 * Outbound messages and requests to a host or mailbox that a caller can name, except model requests. `recipient` is a
 * mailbox without its `+tag`, or a host without its port.
 */
export const outboundEffects = {
  invitation: {
    noun: 'invitation mails',
    limits: { tenant: perDay(500), actor: perHour(120), recipient: perDay(5) },
    trialLimit: perDay(30),
  },
  mail_retry: {
    noun: 'repeated mails',
    limits: { tenant: perDay(500), actor: perHour(60), recipient: perDay(10) },
    trialLimit: perDay(30),
  },
  /** Administrators must be able to sign in, pay and thereby end a suspension. */
  password_reset: {
    noun: 'password mails',
    limits: { tenant: perDay(500), recipient: perDay(10) },
    isForSuspended: true,
  },
  signup_confirmation: { noun: 'confirmation mails', limits: { recipient: perDay(5) } },
  signup_notice: { noun: 'signup notices', limits: { recipient: perDay(5) } },
  /**
   * Administrators of a suspended tenant can still sign in, so they must be notified of changes to their second
   * factors.
   */
  second_factor_notice: {
    noun: 'second factor notices',
    limits: { tenant: perDay(500), recipient: perDay(20) },
    isForSuspended: true,
  },
  credit_notice: { noun: 'credit notices', limits: notice },
  subscription_notice: { noun: 'subscription notices', limits: notice },
  budget_notice: { noun: 'budget notices', limits: notice },
  key_notice: { noun: 'API key notices', limits: { tenant: perDay(2_000), recipient: perDay(20) } },
  connection_test: {
    noun: 'connection tests',
    limits: { tenant: perHour(300), actor: perHour(120), recipient: perHour(300) },
    trialLimit: perHour(60),
  },
  alert_webhook: { noun: 'alerts', limits: { recipient: perHour(1_000) } },
} as const satisfies Readonly<Record<string, OutboundEffect>>;

export type OutboundEffectName = keyof typeof outboundEffects;

export const windowSeconds = { hour: 3_600, day: 86_400 } as const;

/** Returns the applicable limits in the order in which they are counted. */
export function limitsOf(effect: OutboundEffect, isTrial: boolean): [OutboundScope, OutboundLimit][] {
  const { tenant, actor, recipient } = effect.limits;
  const limits = { tenant: (isTrial && effect.trialLimit) || tenant, actor, recipient };
  return (['tenant', 'actor', 'recipient'] as const).flatMap((scope) => {
    const limit = limits[scope];
    return limit ? [[scope, limit] as [OutboundScope, OutboundLimit]] : [];
  });
}
