import type { tasksRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import {
  createTaskAssignment,
  deleteTaskAssignment,
  listAssignmentsOfTask,
  listTaskAssignments,
  updateTaskAssignment,
} from './assignments.ts';
import { createTask, toggleTaskStatus, updateTask } from './change.ts';
import { deleteTask, getTaskDeletionImpact } from './delete.ts';
import { getTask, getTaskUserStats, listTasks } from './read.ts';

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
