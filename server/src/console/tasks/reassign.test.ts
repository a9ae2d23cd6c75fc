import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTasksConsole, parser, type TasksConsole } from '#test/console/tasks-console.ts';

let console: TasksConsole;
let taskId: number;
let assignmentId: number;
const calls = () => console.as(console.admin);
const change = (body: Parameters<ReturnType<typeof calls>['updateTaskAssignment']>[0]['body']) =>
  calls().updateTaskAssignment({ params: { id: assignmentId }, body });
const list = () => calls().listAssignmentsOfTask({ params: { id: taskId } });

beforeAll(async () => {
  console = await createTasksConsole();
});
afterAll(() => console.database.close());
beforeEach(async () => {
  await console.database.pool.query('TRUNCATE tasks, task_assignments, allowances CASCADE');
  taskId = (await calls().createTask({ body: parser })).id;
  const body = { task_id: taskId, user_id: console.mara.userId };
  assignmentId = (await calls().createTaskAssignment({ body })).id;
});

describe('updateTaskAssignment with a task or a user', () => {
  it('updateTaskAssignment accepts the current task and user', async () => {
    const body = { task_id: taskId, user_id: console.mara.userId, progress_notes: 'Half done' };
    const changed = await change(body);
    expect(changed).toMatchObject({ ...body, id: assignmentId, status: 'active' });
  });

  it('updateTaskAssignment with another user cancels the assignment and starts a new one', async () => {
    await console.database.pool.query('UPDATE allowances SET settled = 99 WHERE subject_id = $1', [
      assignmentId,
    ]);
    const body = { task_id: taskId, user_id: console.tom.userId, progress_notes: 'Takes over' };
    const begun = await change(body);
    expect(begun).toMatchObject({ ...body, status: 'active', tokens_used: 0, assigned_by_name: 'admin' });
    expect(begun.id).not.toBe(assignmentId);
    expect(await list()).toMatchObject([
      { id: begun.id, user_id: console.tom.userId, status: 'active' },
      { id: assignmentId, user_id: console.mara.userId, status: 'cancelled', tokens_used: 99 },
    ]);
  });

  it('updateTaskAssignment with another task moves the user to that task', async () => {
    const other = await calls().createTask({ body: { ...parser, title: 'Another' } });
    expect(await change({ task_id: other.id })).toMatchObject({
      task_id: other.id,
      user_id: console.mara.userId,
      status: 'active',
    });
    expect(await list()).toMatchObject([{ id: assignmentId, status: 'cancelled' }]);
  });

  it('updateTaskAssignment changes nothing if the new user or task is not assignable', async () => {
    const refusals: [object, string][] = [
      [{ user_id: console.stranger.userId }, 'Please select a user'],
      [{ task_id: 999_999 }, 'Please select a task'],
      [{ user_id: console.tom.userId, status: 'completed' }, 'A new assignment is always active'],
    ];
    for (const [body, problem] of refusals) await expect(change(body)).rejects.toThrow(problem);
    await calls().createTaskAssignment({ body: { task_id: taskId, user_id: console.tom.userId } });
    await expect(change({ user_id: console.tom.userId })).rejects.toMatchObject({ status: 409 });
    const working = (await list()).filter(({ status }) => status === 'active');
    expect(working.map(({ user_id }) => user_id)).toContain(console.mara.userId);
  });
});
