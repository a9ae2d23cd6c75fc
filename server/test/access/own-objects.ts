import { randomUUIDv7 } from 'node:crypto';
import type { ObjectKind } from './object-kind.ts';
import { addChat, addChatAnswer, addChatImage, addTaskOf } from './world.ts';

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
