import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** Stored at the payment provider. Renewals are charged to the default card. */
export const paymentMethod = z.object({
  id: z.string(),
  brand: z.string(),
  last4: z.string(),
  exp_month: z.number().int(),
  exp_year: z.number().int(),
  is_default: z.boolean(),
});

export type PaymentMethod = z.infer<typeof paymentMethod>;

const change = { surface: 'management', permission: 'credits.write' } as const;
const params = z.object({ id: z.string().min(1).max(255) });

export const paymentMethodsRoutes = defineRoutes({
  listPaymentMethods: {
    method: 'GET',
    path: '/billing/payment-methods',
    surface: 'management',
    permission: 'credits.read',
    summary: "List the cards of the caller's tenant, newest first",
    response: z.array(paymentMethod),
  },
  addPaymentMethod: {
    ...change,
    method: 'POST',
    path: '/billing/payment-methods',
    idempotent: true,
    summary: 'Save a card that the browser has set up; the first one becomes the default',
    request: { body: z.strictObject({ payment_method_id: z.string().trim().min(1).max(255) }) },
    response: paymentMethod,
  },
  removePaymentMethod: {
    ...change,
    method: 'DELETE',
    path: '/billing/payment-methods/{id}',
    summary: 'Remove a card; if it was the default, the newest remaining card becomes the default',
    request: { params },
    response: z.void(),
    status: 204,
  },
  setDefaultPaymentMethod: {
    ...change,
    method: 'PATCH',
    path: '/billing/payment-methods/{id}/default',
    summary: 'Make a card the default for renewals',
    request: { params },
    response: paymentMethod,
  },
});
