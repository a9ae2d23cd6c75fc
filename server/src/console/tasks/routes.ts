import type { tasksRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { createTaskAssignment } from './assign.ts';
import { createTask } from './create.ts';
import { deleteTask } from './delete.ts';
import { getTaskDeletionImpact } from './deletion-impact.ts';
import { getTask } from './get.ts';
import { listTasks } from './list.ts';
import { listAssignmentsOfTask, listTaskAssignments } from './list-assignments.ts';
import { toggleTaskStatus } from './toggle-status.ts';
import { deleteTaskAssignment } from './unassign.ts';
import { updateTask } from './update.ts';
import { updateTaskAssignment } from './update-assignment.ts';
import { getTaskUserStats } from './user-stats.ts';

export function createTasksHandlers(): Handlers<typeof tasksRoutes> {
  return {
    listTasks,
    getTaskUserStats,
    getTask: (ctx, { params }) => getTask(ctx, params.id),
    createTask: (ctx, { body }) => createTask(ctx, body),
    updateTask: (ctx, { params, body }) => updateTask(ctx, params.id, body),
    getTaskDeletionImpact: (ctx, { params }) => getTaskDeletionImpact(ctx, params.id),
    deleteTask: (ctx, { params }) => deleteTask(ctx, params.id),
    toggleTaskStatus: (ctx, { params }) => toggleTaskStatus(ctx, params.id),
    listAssignmentsOfTask: (ctx, { params }) => listAssignmentsOfTask(ctx, params.id),
    listTaskAssignments,
    createTaskAssignment: (ctx, { body }) => createTaskAssignment(ctx, body),
    updateTaskAssignment: (ctx, { params, body }) => updateTaskAssignment(ctx, params.id, body),
    deleteTaskAssignment: (ctx, { params }) => deleteTaskAssignment(ctx, params.id),
  };
}
