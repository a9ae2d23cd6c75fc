import { changeOwnPasswordBody } from '@sluice/contract';
import { z } from 'zod';

/** Rules for a new password: the contract's, and that both entries match. */
export const passwordForm = z
  .object({
    ...changeOwnPasswordBody.shape,
    confirmation: z.string().min(1, 'Please confirm your new password'),
  })
  .refine(({ current_password, new_password }) => current_password !== new_password, {
    path: ['new_password'],
    message: 'New password must be different from current password',
    when: isFilledIn,
  })
  .refine(({ new_password, confirmation }) => new_password === confirmation, {
    path: ['confirmation'],
    message: 'Passwords do not match',
    when: isConfirmed,
  });

interface Payload {
  readonly value: unknown;
}

/** Rules over two fields apply once both are filled in. */
function isFilledIn({ value }: Payload): boolean {
  return isGiven(value, 'current_password') && isGiven(value, 'new_password');
}

function isConfirmed({ value }: Payload): boolean {
  return isGiven(value, 'confirmation');
}

function isGiven(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Boolean(Reflect.get(value, name));
}
