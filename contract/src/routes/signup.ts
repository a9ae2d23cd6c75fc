import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { email } from '../email.ts';
import { isPlainLine, notPlainLine } from '../fields.ts';
import { typedPasswordMax } from '../fold-text.ts';
import { instant } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { password } from './users.ts';

export const billingCycles = ['monthly', 'yearly'] as const;

export type BillingCycle = (typeof billingCycles)[number];

export const onlyMonthly = 'Only monthly billing is supported currently';

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
  /** If empty, the tenant is named after the user. */
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

/** A paid plan requires `payment_method_id`, a free one a successful `setup_intent_id`. */
export const signupBody = signupAccount.extend({
  payment_method_id: reference,
  setup_intent_id: reference,
  /** Ignored. The server determines the length of the trial. */
  trial_days: z.number().nullish(),
});

/** The password proves that the owner of the mailbox is the user who signed up. */
export const confirmSignupBody = z.strictObject({
  password: z
    .string(whenAbsent('Password is required'))
    .min(1, 'Password is required')
    .max(typedPasswordMax, `Password must be at most ${typedPasswordMax} characters`),
});

export const signupSetup = z.object({
  is_open: z.boolean(),
  trial_days: z.number().int(),
});

const tokenParams = z.object({ token: z.string().min(1).max(200) });

const ofStrangers = { surface: 'management', permission: 'anyone', path: '/auth/signup' } as const;

export const signupRoutes = defineRoutes({
  getSignupSetup: {
    ...ofStrangers,
    method: 'GET',
    summary: 'Get the state of public signup and the length of the trial',
    response: signupSetup,
  },
  signUp: {
    ...ofStrangers,
    method: 'POST',
    idempotent: true,
    summary: 'Create a tenant with its first administrator, on a trial of a plan',
    request: { body: signupBody },
    response: z.object({
      message: z.string(),
      email: z.string(),
      /** Set if the installation sends emails. The account is created when the user opens the link in the email. */
      needs_confirmation: z.literal(true).optional(),
    }),
    status: 201,
  },
  resendSignupConfirmation: {
    ...ofStrangers,
    method: 'POST',
    path: '/auth/signup/confirmations',
    summary: 'Resend the confirmation email of a signup; the response is the same for every email address',
    request: { body: z.strictObject({ email }) },
    response: z.void(),
    status: 204,
  },
  getSignupConfirmation: {
    ...ofStrangers,
    method: 'GET',
    path: '/auth/signup/confirmations/{token}',
    summary:
      'Get the signup of a confirmation link; 404 if the link is used, replaced or older than 24 hours',
    request: { params: tokenParams },
    response: z.object({ email: z.string(), company_name: z.string(), expires_at: instant }),
  },
  confirmSignup: {
    ...ofStrangers,
    method: 'POST',
    path: '/auth/signup/confirmations/{token}',
    summary: 'Create the account of a signup, with the password chosen there; works once',
    request: { params: tokenParams, body: confirmSignupBody },
    response: z.object({ message: z.string(), email: z.string() }),
    status: 201,
  },
});
