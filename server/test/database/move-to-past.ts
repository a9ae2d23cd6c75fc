import pg from 'pg';

/** Request ids start with their time in milliseconds, which determines the partition of the row. */
const earlierId = `(lpad(to_hex(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint - $2::int * 86400000::bigint), 12, '0')
  || right(replace(id::text, '-', ''), 20))::uuid`;

const moves = [
  `UPDATE request_log_bodies SET id = ${earlierId} WHERE id IN (SELECT id FROM request_logs WHERE user_id = $1)`,
  `UPDATE request_logs SET id = ${earlierId}, received_at = received_at - make_interval(days => $2) WHERE user_id = $1`,
  `UPDATE chat_messages SET created_at = created_at - make_interval(days => $2)
     WHERE chat_id IN (SELECT id FROM chats WHERE user_id = $1)`,
  `UPDATE chats SET created_at = created_at - make_interval(days => $2), updated_at = updated_at - make_interval(days => $2)
     WHERE user_id = $1`,
];

export async function moveToPast(connectionString: string, userId: number, days: number): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const move of moves) await client.query(move, [userId, days]);
  } finally {
    await client.end();
  }
}
