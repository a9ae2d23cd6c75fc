import { randomUUIDv7 } from 'node:crypto';
import type { ObjectKind } from './object-kind.ts';
import { addChat, addTaskOf } from './world.ts';

export const chat: ObjectKind = {
  name: 'chat',
  make: (world, { tenant, userId }) => addChat(world, tenant, userId),
  missingId: randomUUIDv7,
  isHidden: (_role, owner) => owner === 'other user',
};

/** To be seen by whoever works on it. */
export const ownTask: ObjectKind = {
  name: 'own task',
  make: async (world, { tenant, userId }) => String(await addTaskOf(world, tenant, userId)),
  missingId: () => '2147483647',
  isHidden: (_role, owner) => owner === 'other user',
};
