import { randomUUIDv7 } from 'node:crypto';
import { addServiceAccount } from '../console/console.ts';
import type { ObjectKind } from './object-kind.ts';
import { addChat, addChatAnswer, addChatImage, addManagementToken, addNamedKey, addTaskOf } from './world.ts';

export const chat: ObjectKind = {
  name: 'chat',
  make: (world, { tenant, userId }) => addChat(world, tenant, userId),
  missingId: randomUUIDv7,
  isHidden: (_role, owner) => owner === 'other user',
};

export const chatAnswer: ObjectKind = {
  ...chat,
  name: 'chat answer',
  async make(world, { tenant, userId }) {
    const chatId = await addChat(world, tenant, userId);
    return `${chatId}/messages/${await addChatAnswer(world, tenant, chatId)}`;
  },
  missingId: () => `${randomUUIDv7()}/messages/${randomUUIDv7()}`,
};

export const chatImage: ObjectKind = {
  ...chat,
  name: 'chat image',
  async make(world, { tenant, userId }) {
    const chatId = await addChat(world, tenant, userId);
    const answerId = await addChatAnswer(world, tenant, chatId);
    return `${chatId}/images/${await addChatImage(world, tenant, answerId)}`;
  },
  missingId: () => `${randomUUIDv7()}/images/${randomUUIDv7()}`,
};

/** A task is visible only to assigned users. Its chat already exists, since none is created for a blocked user. */
export const ownTask: ObjectKind = {
  name: 'own task',
  async make(world, { tenant, userId }) {
    const taskId = await addTaskOf(world, tenant, userId);
    await world.pool.query(
      'INSERT INTO chats (id, tenant_id, user_id, task_id) VALUES (gen_random_uuid(), $1, $2, $3)',
      [tenant.id, userId, taskId],
    );
    return String(taskId);
  },
  missingId: () => '2147483647',
  isHidden: (_role, owner) => owner === 'other user',
};

export const session: ObjectKind = {
  name: 'session',
  async make({ pool }, { tenant, userId }) {
    const id = randomUUIDv7();
    await pool.query(
      `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at)
       VALUES ($1, $2, $3, $4, $4, now() + interval '1 hour')`,
      [id, tenant.id, userId, tenant.marker],
    );
    return id;
  },
  missingId: randomUUIDv7,
  isHidden: (_role, owner) => owner === 'other user',
};

const apiKey: ObjectKind = {
  name: 'API key',
  make: async (world, { tenant, userId }) => String(await addNamedKey(world, tenant, userId)),
  missingId: () => '2147483647',
};

const ownApiKey: ObjectKind = { ...apiKey, isHidden: (_role, owner) => owner === 'other user' };

const managementToken: ObjectKind = {
  name: 'management token',
  make: async (world, { tenant, userId }) => String(await addManagementToken(world, tenant, userId)),
  missingId: () => '2147483647',
};

const ownManagementToken: ObjectKind = {
  ...managementToken,
  isHidden: (_role, owner) => owner === 'other user',
};

const serviceAccount: ObjectKind = {
  name: 'service account',
  make: async ({ pool }, { tenant }) => String(await addServiceAccount(pool, tenant.id, tenant.marker)),
  missingId: () => '2147483647',
};

export const kindsOfKeys: Readonly<Record<string, ObjectKind>> = {
  '/admin/api-keys/{id}': apiKey,
  '/user/api-keys/{id}': ownApiKey,
  '/admin/service-accounts/{id}': serviceAccount,
  '/admin/tokens/{id}': managementToken,
  '/user/tokens/{id}': ownManagementToken,
};
