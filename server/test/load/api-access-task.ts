import type pg from 'pg';

export async function addApiAccessTask(
  pool: pg.Pool,
  { tenantId, userId }: { tenantId: number; userId: number },
  title = 'API access',
): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours, is_dummy_task, user_id)
     VALUES ($1, $3, 'Takes requests that name no task', 'other', 'beginner', 1, true, $2) RETURNING id`,
    [tenantId, userId, title],
  );
  const taskId = rows[0]!.id;
  await pool.query('INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES ($1, $2, $3)', [
    tenantId,
    taskId,
    userId,
  ]);
  return taskId;
}
