import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** A card that the payment provider keeps; renewals are taken from the default one. */
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
    summary: "The cards of the caller's tenant, the newest first",
    response: z.array(paymentMethod),
  },
  addPaymentMethod: {
    ...change,
    method: 'POST',
    path: '/billing/payment-methods',
    idempotent: true,
    summary: 'Keep a card that the browser has set up; the first one is the default',
    request: { body: z.strictObject({ payment_method_id: z.string().trim().min(1).max(255) }) },
    response: paymentMethod,
  },
  removePaymentMethod: {
    ...change,
    method: 'DELETE',
    path: '/billing/payment-methods/{id}',
    summary: 'Forget a card; the newest of the others becomes the default if it was',
    request: { params },
    response: z.void(),
    status: 204,
  },
  setDefaultPaymentMethod: {
    ...change,
    method: 'PATCH',
    path: '/billing/payment-methods/{id}/default',
    summary: 'Take renewals from this card',
    request: { params },
    response: paymentMethod,
  },
});
