import type { signInPolicyRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { getSignInPolicy, updateSignInPolicy } from './policy.ts';

export function createSignInPolicyHandlers(): Handlers<typeof signInPolicyRoutes> {
  return {
    getSignInPolicy: read(getSignInPolicy),
    updateSignInPolicy: write(updateSignInPolicy, ({ body }) => body),
  };
}
