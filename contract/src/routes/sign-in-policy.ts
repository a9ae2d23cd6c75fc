import { z } from 'zod';
import { id } from '../ids.ts';
import { defineRoutes } from '../route.ts';

export const signInPolicy = z.object({
  /** `break_glass`: only the accounts in `break_glass_users` may sign in with a password. */
  local_passwords: z.enum(['allowed', 'break_glass']),
  break_glass_users: z.array(z.number().int()),
  /** `created` creates an account at the first sign-in, `invited` requires an invitation. */
  new_accounts: z.enum(['created', 'invited']),
  /** Maximum inactivity of a session. `null` means no limit. */
  idle_minutes: z.number().int().nullable(),
  session_hours: z.number().int(),
});

export type SignInPolicy = z.infer<typeof signInPolicy>;

const breakGlassMax = 10;
const idleRange = 'Idle minutes must be from 15 to 43,200';
const hoursRange = 'Session hours must be from 1 to 720';

export const updateSignInPolicyBody = z
  .strictObject({
    local_passwords: z.enum(['allowed', 'break_glass']),
    break_glass_users: z
      .array(id)
      .max(breakGlassMax, `A tenant can have at most ${breakGlassMax} break-glass accounts`),
    new_accounts: z.enum(['created', 'invited']),
    idle_minutes: z.int(idleRange).min(15, idleRange).max(43_200, idleRange).nullable(),
    session_hours: z.int(hoursRange).min(1, hoursRange).max(720, hoursRange),
  })
  .partial();

const policy = { surface: 'management', path: '/admin/sign-in-policy', response: signInPolicy } as const;

export const signInPolicyRoutes = defineRoutes({
  getSignInPolicy: {
    ...policy,
    method: 'GET',
    permission: 'settings.read',
    summary: 'Get the sign-in policy of the tenant: how users sign in and how long sessions last',
  },
  updateSignInPolicy: {
    ...policy,
    method: 'PUT',
    permission: 'settings.write',
    refusesTokens: true,
    summary: 'Change the sign-in policy of the tenant: how users sign in and how long sessions last',
    request: { body: updateSignInPolicyBody },
  },
});
