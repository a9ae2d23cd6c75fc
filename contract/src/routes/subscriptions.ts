export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled'] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
