import { randomUUIDv7 } from 'node:crypto';
import type { ObjectKind } from './object-kind.ts';
import { addChat, addChatAnswer, addChatImage, addNamedKey, addTaskOf } from './world.ts';

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

/** Visible to the users who are assigned to it. Its chat exists, since none is created for a blocked user. */
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

/** Visible only to the user of the session. */
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

/** A named key that its user has created. */
const apiKey: ObjectKind = {
  name: 'API key',
  make: async (world, { tenant, userId }) => String(await addNamedKey(world, tenant, userId)),
  missingId: () => '2147483647',
};

const ownApiKey: ObjectKind = { ...apiKey, isHidden: (_role, owner) => owner === 'other user' };

/** Kinds of API keys by their paths. */
export const kindsOfKeys: Readonly<Record<string, ObjectKind>> = {
  '/admin/api-keys/{id}': apiKey,
  '/user/api-keys/{id}': ownApiKey,
};
