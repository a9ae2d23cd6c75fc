import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPerson } from '#test/console/console.ts';
import { createTasksConsole, parser, type TasksConsole } from '#test/console/tasks-console.ts';

let console: TasksConsole;
const calls = (principal = console.admin) => console.as(principal);

beforeAll(async () => {
  console = await createTasksConsole();
});
afterAll(() => console.database.close());
beforeEach(async () => {
  await console.database.pool.query(
    'TRUNCATE tasks, task_assignments, allowances, usage_rollups, usage_days CASCADE',
  );
});

const refusedField = (field: string, msg: string) => ({
  status: 422,
  detail: [{ loc: ['body', field], msg, type: 'value_error' }],
});

describe('createTask', () => {
  it('createTask applies defaults', async () => {
    const created = await calls().createTask({ body: parser });
    expect(created).toMatchObject({
      ...parser,
      category: 'coding',
      difficulty_level: 'beginner',
      estimated_hours: 1,
      token_limit: 10_000,
      max_tokens_per_request: 1_000,
      is_active: true,
      assigned_users_count: 0,
      total_requests: 0,
      has_assignments: false,
      is_dummy_task: false,
      user_id: null,
    });
    expect(await calls().getTask({ params: { id: created.id } })).toEqual(created);
  });

  it.each([
    [{ title: 'ab' }, 'Title must be at least 3 characters'],
    [{ title: ' ' }, 'Title is required'],
    [{ description: 'too short' }, 'Description must be at least 10 characters'],
    [{ estimated_hours: 0.4 }, 'Estimated hours must be at least 0.5'],
    [{ estimated_hours: 1001 }, 'Estimated hours cannot exceed 1000'],
    [{ token_limit: 999 }, 'Token limit must be at least 1,000'],
    [{ token_limit: 1_000_001 }, 'Token limit cannot exceed 1,000,000'],
    [{ max_tokens_per_request: 99 }, 'Per-request limit must be at least 100'],
    [{ token_limit: 20_000, max_tokens_per_request: 10_001 }, 'Per-request limit cannot exceed 10,000'],
    [
      { token_limit: 2_000, max_tokens_per_request: 2_001 },
      'Per-request limit cannot exceed total token limit',
    ],
  ])('createTask rejects %o', async (fields, problem) => {
    await expect(calls().createTask({ body: { ...parser, ...fields } })).rejects.toThrow(problem);
  });

  it("createTask creates and assigns a user's API access task without limits", async () => {
    const { userId } = console.mara;
    const created = await calls().createTask({ body: { is_dummy_task: true, user_id: userId } });
    expect(created).toMatchObject({
      title: 'API access of mara',
      is_dummy_task: true,
      user_id: userId,
      token_limit: null,
      max_tokens_per_request: null,
      has_assignments: true,
    });
    const [assignment] = await calls().listAssignmentsOfTask({ params: { id: created.id } });
    expect(assignment).toMatchObject({ user_id: userId, status: 'active', token_limit: null });
  });

  it('createTask rejects a second active API access task for a user', async () => {
    const body = { is_dummy_task: true, user_id: console.mara.userId } as const;
    const first = await calls().createTask({ body });
    const refusal = { status: 409, detail: 'This user already has an active API access task' };
    await expect(calls().createTask({ body })).rejects.toMatchObject(refusal);
    await calls().toggleTaskStatus({ params: { id: first.id } });
    await calls().createTask({ body });
    await expect(calls().toggleTaskStatus({ params: { id: first.id } })).rejects.toMatchObject(refusal);
  });

  it('createTask rejects an API access task for a user of another tenant or a blocked one', async () => {
    const create = (userId: number) => calls().createTask({ body: { is_dummy_task: true, user_id: userId } });
    await expect(create(console.stranger.userId)).rejects.toMatchObject(
      refusedField('user_id', 'Please select a user for API access'),
    );
    const blocked = await addBlocked('is_blocked = true');
    await expect(create(blocked)).rejects.toMatchObject(
      refusedField('user_id', 'Please select a user for API access who is not blocked'),
    );
  });
});

let peopleCount = 0;
async function addBlocked(change: string): Promise<number> {
  const { pool } = console.database;
  const { userId } = await addPerson(pool, console.tenantId, 'user', `shut-${peopleCount++}@one.test`);
  await pool.query(`UPDATE users SET ${change} WHERE id = $1`, [userId]);
  return userId;
}

describe('listTasks', () => {
  it("listTasks returns the tenant's tasks, newest first, by filter", async () => {
    const research = { title: 'Read 100% of it', description: 'All the papers on it', category: 'research' };
    await calls().createTask({ body: parser });
    await calls().createTask({
      body: { ...research, difficulty_level: 'advanced', is_active: false } as never,
    });
    await calls(console.stranger).createTask({ body: { ...parser, title: 'A foreign one' } });
    const list = async (query: object) => (await calls().listTasks({ query })).map(({ title }) => title);
    expect(await list({})).toEqual([research.title, parser.title]);
    expect(await list({ category: 'coding' })).toEqual([parser.title]);
    expect(await list({ difficulty_level: 'advanced' })).toEqual([research.title]);
    expect(await list({ is_active: 'true' })).toEqual([parser.title]);
    expect(await list({ search: 'PARSER' })).toEqual([parser.title]);
    expect(await list({ search: '100%' })).toEqual([research.title]);
    expect(await list({ search: '%' })).toEqual([research.title]);
    expect(await list({ search: '' })).toHaveLength(2);
  });

  it('listTasks counts assigned users and requests of a task', async () => {
    const task = await calls().createTask({ body: parser });
    const active = await assign(task.id, console.mara.userId);
    const ended = await assign(task.id, console.tom.userId);
    await calls().deleteTaskAssignment({ params: { id: ended.id } });
    await setUsage(active.id, { requests: 7 });
    await setUsage(ended.id, { requests: 5 });
    const [listed] = await calls().listTasks({ query: {} });
    expect(listed).toMatchObject({ assigned_users_count: 1, total_requests: 12, has_assignments: true });
  });
});

const assign = (taskId: number, userId: number) =>
  calls().createTaskAssignment({ body: { task_id: taskId, user_id: userId } });

const setUsage = (assignmentId: number, { requests, tokens = 0 }: { requests: number; tokens?: number }) =>
  console.database.pool.query(
    "UPDATE allowances SET requests = $2, settled = $3, last_used_at = now() WHERE kind = 'task_tokens' AND subject_id = $1",
    [assignmentId, requests, tokens],
  );

describe('updateTask', () => {
  it('updateTask changes only the given fields', async () => {
    const { id } = await calls().createTask({ body: parser });
    const changed = await calls().updateTask({ params: { id }, body: { estimated_hours: 2.5 } });
    expect(changed).toMatchObject({ ...parser, estimated_hours: 2.5 });
    expect(await calls().updateTask({ params: { id }, body: {} })).toEqual(changed);
  });

  it('updateTask keeps the limit per request within the stored total', async () => {
    const { id } = await calls().createTask({ body: { ...parser, token_limit: 2_000 } });
    const change = (body: object) => calls().updateTask({ params: { id }, body });
    const refusal = refusedField(
      'max_tokens_per_request',
      'Per-request limit cannot exceed total token limit',
    );
    await expect(change({ max_tokens_per_request: 2_001 })).rejects.toMatchObject(refusal);
    await change({ max_tokens_per_request: 2_000 });
    await expect(change({ token_limit: 1_000 })).rejects.toMatchObject(refusal);
    await change({ token_limit: 1_000, max_tokens_per_request: 1_000 });
  });

  it('updateTask changes the limits of active assignments but not of ended ones', async () => {
    const { id } = await calls().createTask({ body: parser });
    await assign(id, console.mara.userId);
    const ended = await assign(id, console.tom.userId);
    await calls().updateTaskAssignment({ params: { id: ended.id }, body: { status: 'completed' } });
    await calls().updateTask({ params: { id }, body: { token_limit: 50_000 } });
    const limits = async () =>
      (await calls().listAssignmentsOfTask({ params: { id } })).map(({ status, token_limit }) => [
        status,
        token_limit,
      ]);
    expect(await limits()).toEqual([
      ['active', 50_000],
      ['completed', 10_000],
    ]);
    await calls().updateTaskAssignment({ params: { id: ended.id }, body: { status: 'active' } });
    expect(await limits()).toEqual([
      ['active', 50_000],
      ['active', 50_000],
    ]);
  });

  it('updateTask rejects a limit for an API access task', async () => {
    const body = { is_dummy_task: true, user_id: console.mara.userId } as const;
    const { id } = await calls().createTask({ body });
    await expect(calls().updateTask({ params: { id }, body: { token_limit: 5_000 } })).rejects.toMatchObject(
      refusedField('token_limit', 'An API access task cannot have limits'),
    );
  });
});

describe('createTaskAssignment', () => {
  it('createTaskAssignment returns the user, the start and the limits', async () => {
    const { id } = await calls().createTask({ body: parser });
    const made = await calls().createTaskAssignment({
      body: { task_id: id, user_id: console.mara.userId, progress_notes: 'Starts with the lexer' },
    });
    expect(made).toMatchObject({
      task_id: id,
      task_title: parser.title,
      user_name: 'mara',
      user_email: 'mara@one.test',
      status: 'active',
      progress_notes: 'Starts with the lexer',
      tokens_used: 0,
      token_limit: 10_000,
      total_requests: 0,
      last_request_at: null,
      assigned_by_name: 'admin',
      completion_date: null,
    });
  });

  it('createTaskAssignment is rejected with a reason for users who cannot be assigned the task', async () => {
    const { id } = await calls().createTask({ body: parser });
    const refusals: [number, string][] = [
      [console.stranger.userId, 'Please select a user'],
      [await addBlocked('is_blocked = true'), 'Please select a user who is not blocked'],
      [await addBlocked('is_active = false'), 'Please select a user who is active'],
    ];
    for (const [userId, problem] of refusals)
      await expect(assign(id, userId)).rejects.toMatchObject(refusedField('user_id', problem));
    const api = await calls().createTask({ body: { is_dummy_task: true, user_id: console.mara.userId } });
    await expect(assign(api.id, console.tom.userId)).rejects.toThrow('belongs to one user');
  });

  it("createTaskAssignment rejects an inactive, a deleted and another tenant's task", async () => {
    const { id } = await calls().createTask({ body: { ...parser, is_active: false } });
    await expect(assign(id, console.mara.userId)).rejects.toThrow('This task is inactive');
    await calls().deleteTask({ params: { id } });
    await expect(assign(id, console.mara.userId)).rejects.toMatchObject(
      refusedField('task_id', 'Please select a task'),
    );
    const foreign = await calls(console.stranger).createTask({ body: parser });
    await expect(assign(foreign.id, console.mara.userId)).rejects.toThrow('Please select a task');
  });

  it('createTaskAssignment rejects a duplicate, even under concurrent calls', async () => {
    const { id } = await calls().createTask({ body: parser });
    const both = await Promise.allSettled([1, 2].map(() => assign(id, console.mara.userId)));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(assign(id, console.mara.userId)).rejects.toMatchObject({
      status: 409,
      detail: 'This user is already assigned to this task',
    });
  });

  it('listTaskAssignments returns usage, users and last use', async () => {
    const { id } = await calls().createTask({ body: parser });
    const mine = await assign(id, console.mara.userId);
    await assign(id, console.tom.userId);
    await setUsage(mine.id, { requests: 7, tokens: 1234 });
    const [toms, maras] = await calls().listTaskAssignments({ query: {} });
    expect(maras).toMatchObject({ id: mine.id, tokens_used: 1234, total_requests: 7 });
    expect(Math.abs(Date.parse(maras!.last_request_at!) - Date.now())).toBeLessThan(60_000);
    expect(toms).toMatchObject({ tokens_used: 0, total_requests: 0, last_request_at: null });
    expect(await calls().listTaskAssignments({ query: { user_id: console.mara.userId } })).toEqual([maras]);
    expect(await calls(console.stranger).listTaskAssignments({ query: {} })).toEqual([]);
  });

  it('updateTaskAssignment keeps the usage of an ended assignment and continues it when reactivated', async () => {
    const { id } = await calls().createTask({ body: parser });
    const made = await assign(id, console.mara.userId);
    await console.database.pool.query('UPDATE allowances SET settled = 99 WHERE subject_id = $1', [made.id]);
    const change = (status: 'active' | 'completed') =>
      calls().updateTaskAssignment({ params: { id: made.id }, body: { status } });
    expect(await change('completed')).toMatchObject({ completion_date: expect.any(String), tokens_used: 99 });
    expect(await change('active')).toMatchObject({ completion_date: null, tokens_used: 99 });
    const remove = () => calls().deleteTaskAssignment({ params: { id: made.id } });
    await remove();
    await remove();
    const [ended] = await calls().listTaskAssignments({ query: { status: 'cancelled' } });
    expect(ended).toMatchObject({ id: made.id, tokens_used: 99 });
  });
});

describe('deleteTask', () => {
  it('getTaskDeletionImpact returns affected users and warnings', async () => {
    const { id } = await calls().createTask({ body: parser });
    const other = await calls().createTask({ body: { ...parser, title: 'Another' } });
    await assign(id, console.mara.userId);
    await assign(id, console.tom.userId);
    await assign(other.id, console.tom.userId);
    await console.database.pool.query(
      `INSERT INTO usage_rollups (bucket_start, node_slot, tenant_id, user_id, task_id, requests)
       VALUES (date_bin('15 min', now(), '2000-01-01Z'), 0, $1, $2, $3, 2)`,
      [console.tenantId, console.mara.userId, id],
    );
    await console.database.pool.query(
      "UPDATE task_assignments SET assigned_at = now() - interval '3 days 2 hours' WHERE user_id = $1",
      [console.mara.userId],
    );
    const impact = await calls().getTaskDeletionImpact({ params: { id } });
    expect(impact.active_assignments_count).toBe(2);
    expect(impact.affected_users.map((user) => [user.user_name, user.assignment_duration_days])).toEqual([
      ['tom', 0],
      ['mara', 3],
    ]);
    expect(impact.warnings).toEqual([
      '2 requests were made for it in the last hour.',
      'mara will have no task left, so the gateway will reject their requests.',
      'Its users have 20,000 unused tokens.',
    ]);
  });

  it('getTaskDeletionImpact warns about an API access task', async () => {
    const body = { is_dummy_task: true, user_id: console.mara.userId } as const;
    const { id } = await calls().createTask({ body });
    const { warnings } = await calls().getTaskDeletionImpact({ params: { id } });
    expect(warnings[0]).toBe(
      'This is an API access task: its user will have to name a task in every request.',
    );
  });

  it('deleteTask hides the task permanently and ends its assignments', async () => {
    const { id } = await calls().createTask({ body: parser });
    const made = await assign(id, console.mara.userId);
    expect(await calls().deleteTask({ params: { id } })).toBeUndefined();
    expect(await calls().listTasks({ query: {} })).toEqual([]);
    await expect(calls().getTask({ params: { id } })).rejects.toMatchObject({ status: 404 });
    await expect(calls().deleteTask({ params: { id } })).rejects.toMatchObject({ status: 404 });
    const [ended] = await calls().listTaskAssignments({ query: {} });
    expect(ended).toMatchObject({ id: made.id, status: 'cancelled', task_title: parser.title });
    await expect(
      calls().updateTaskAssignment({ params: { id: made.id }, body: { status: 'active' } }),
    ).rejects.toThrow('Please select a task');
  });
});

describe('getTaskUserStats', () => {
  it('getTaskUserStats sums the tasks and tokens of active assignments, and is unlimited if one of them is unlimited', async () => {
    const { id } = await calls().createTask({ body: parser });
    const second = await calls().createTask({ body: { ...parser, title: 'Another' } });
    const done = await assign(id, console.tom.userId);
    await calls().updateTaskAssignment({ params: { id: done.id }, body: { status: 'completed' } });
    await assign(second.id, console.tom.userId);
    await assign(id, console.mara.userId);
    await calls().createTask({ body: { is_dummy_task: true, user_id: console.mara.userId } });
    await console.database.pool.query('UPDATE allowances SET settled = 10');
    const stats = await calls().getTaskUserStats();
    const of = (name: string) => stats.find(({ user_name }) => user_name === name);
    expect(of('tom')).toMatchObject({
      active_tasks: 1,
      completed_tasks: 1,
      tokens_used: 10,
      token_limit: 10_000,
    });
    expect(of('mara')).toMatchObject({ active_tasks: 2, tokens_used: 20, token_limit: null });
    expect(of('admin')).toMatchObject({ active_tasks: 0, tokens_used: 0, token_limit: 0 });
    expect(stats.some(({ user_email }) => user_email.endsWith('two.test'))).toBe(false);
  });
});
