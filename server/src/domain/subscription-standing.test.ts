import { expect, it } from 'vitest';
import { findStanding, type SubscriptionState } from './subscription-standing.ts';

const now = new Date('2026-03-15T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const trial: SubscriptionState = {
  status: 'trialing',
  hasPaymentMethod: true,
  trialEndsAt: inDays(10),
  endsAt: null,
  unpaidSince: null,
};
const pastDue: SubscriptionState = { ...trial, status: 'past_due', trialEndsAt: inDays(-60) };

it.each<[what: string, state: SubscriptionState, tenant: string, suspendsAt: Date | null]>([
  ['a trial with a card', trial, 'trial', null],
  ['a trial without a card', { ...trial, hasPaymentMethod: false }, 'trial', inDays(10)],
  ['a cancelled trial', { ...trial, endsAt: inDays(10) }, 'trial', inDays(10)],
  ['a paid month', { ...trial, status: 'active' }, 'active', null],
  ['a cancelled month', { ...trial, status: 'active', endsAt: inDays(4) }, 'active', inDays(4)],
  ['a renewal unpaid for less than 7 days', { ...pastDue, unpaidSince: inDays(-6.9) }, 'active', inDays(0.1)],
  ['a renewal unpaid for 7 days', { ...pastDue, unpaidSince: inDays(-7) }, 'suspended', now],
  [
    'an unpaid renewal whose card was removed',
    { ...pastDue, hasPaymentMethod: false, unpaidSince: inDays(-6) },
    'active',
    inDays(1),
  ],
  [
    'a trial that ended without a card',
    { ...pastDue, hasPaymentMethod: false, trialEndsAt: now, unpaidSince: now },
    'suspended',
    now,
  ],
  [
    'a trial whose card was declined',
    { ...pastDue, trialEndsAt: now, unpaidSince: now },
    'active',
    inDays(7),
  ],
  [
    'a subscription that has ended',
    { ...trial, status: 'canceled', endsAt: inDays(-1) },
    'suspended',
    inDays(-1),
  ],
])(
  'findStanding returns the tenant status and the suspension date of %s',
  (_what, state, tenantStatus, suspendsAt) => {
    const standing = findStanding(state, now);
    expect(standing.tenantStatus).toBe(tenantStatus);
    // A tenth of a day may not be a whole number of milliseconds in floating-point arithmetic.
    expect(Math.abs(Number(standing.suspendsAt) - Number(suspendsAt))).toBeLessThan(10);
  },
);
