import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { email } from '../email.ts';
import { isPlainLine, notPlainLine } from '../plain-line.ts';
import { defineRoutes } from '../route.ts';
import { password } from './users.ts';

export const billingCycles = ['monthly', 'yearly'] as const;

export type BillingCycle = (typeof billingCycles)[number];

export const onlyMonthly = 'Only monthly billing is supported currently';

/** What a stranger says of themselves and of what they want to buy. */
export const signupAccount = z.strictObject({
  name: z
    .string(whenAbsent('Name is required'))
    .trim()
    .min(1, 'Name is required')
    .min(2, 'Name must be at least 2 characters')
    .max(200, 'Name must be at most 200 characters')
    .refine(isPlainLine, notPlainLine('Name')),
  email,
  password,
  /** Empty: the tenant is called as the person is. */
  company_name: z
    .string()
    .trim()
    .max(200, 'Company name must be at most 200 characters')
    .refine(isPlainLine, notPlainLine('Company name'))
    .default(''),
  selected_plan_id: z
    .string(whenAbsent('Please select a plan'))
    .min(1, 'Please select a plan')
    .max(100, 'Please select a plan'),
  billing_cycle: z
    .enum(billingCycles, onlyMonthly)
    .default('monthly')
    .refine((cycle) => cycle === 'monthly', onlyMonthly),
});

const reference = z.string().max(255).nullish();

/** A paid plan needs `payment_method_id`, a free one a `setup_intent_id` that has succeeded. */
export const signupBody = signupAccount.extend({
  payment_method_id: reference,
  setup_intent_id: reference,
  /** Not heeded: how long a trial is decides the server. */
  trial_days: z.number().nullish(),
});

export const signupSetup = z.object({
  is_open: z.boolean(),
  trial_days: z.number().int(),
});

const ofStrangers = { surface: 'management', permission: 'anyone', path: '/auth/signup' } as const;

export const signupRoutes = defineRoutes({
  getSignupSetup: {
    ...ofStrangers,
    method: 'GET',
    summary: 'Whether strangers may sign up here, and how long their trial is',
    response: signupSetup,
  },
  signUp: {
    ...ofStrangers,
    method: 'POST',
    idempotent: true,
    summary: 'Create a tenant with its first administrator, on trial of a plan',
    request: { body: signupBody },
    response: z.object({ message: z.string(), email: z.string() }),
    status: 201,
  },
});
