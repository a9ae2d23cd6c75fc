import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestDatabase } from '#test/database/database.ts';

const migration = readFileSync(join(import.meta.dirname, 'migrations', '0044-chat-branches.sql'), 'utf8');

const undo = `DROP TABLE chat_images;
  ALTER TABLE chat_messages DROP COLUMN parent_id;
  ALTER TABLE chat_messages DROP CONSTRAINT chat_messages_chat_id_id_key;
  ALTER TABLE chats DROP COLUMN leaf_id;`;

it('migration 0044 turns each existing chat into one branch, in the order of its messages', async () => {
  const { pool, close } = await createTestDatabase();
  try {
    await pool.query(undo);
    await pool.query("INSERT INTO tenants (name, slug) VALUES ('One', 'one')");
    const { rows: users } = await pool.query<{ id: number }>(
      `INSERT INTO users (tenant_id, role_id, email, name, password_hash)
       VALUES (1, 3, 'a@one.test', 'A', 'x') RETURNING id`,
    );
    const [full, empty] = [randomUUIDv7(), randomUUIDv7()];
    for (const id of [full, empty])
      await pool.query('INSERT INTO chats (id, tenant_id, user_id) VALUES ($1, 1, $2)', [id, users[0]?.id]);
    const ids = Array.from({ length: 6 }, () => randomUUIDv7());
    // Both messages of a turn have the same creation time.
    for (const [index, id] of ids.entries())
      await pool.query(
        `INSERT INTO chat_messages (id, tenant_id, chat_id, is_user, content, created_at)
         VALUES ($1, 1, $2, $3, '', to_timestamp($4))`,
        [id, full, index % 2 === 0, Math.floor(index / 2)],
      );
    await pool.query(`BEGIN; ${migration} COMMIT;`);
    const { rows: messages } = await pool.query('SELECT id, parent_id FROM chat_messages');
    const parents = new Map(messages.map(({ id, parent_id }) => [id, parent_id]));
    expect(ids.map((id) => parents.get(id))).toEqual([null, ...ids.slice(0, -1)]);
    const { rows: chats } = await pool.query('SELECT id, leaf_id FROM chats');
    expect(chats).toEqual(
      expect.arrayContaining([
        { id: full, leaf_id: ids.at(-1) },
        { id: empty, leaf_id: null },
      ]),
    );
  } finally {
    await close();
  }
});
