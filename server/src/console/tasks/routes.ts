import type { tasksRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
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
    listTasks: read(listTasks, ({ query }) => query),
    getTaskUserStats: read(getTaskUserStats),
    getTask: read(getTask, ({ params }) => params.id),
    createTask: write(createTask, ({ body }) => body),
    updateTask: write(updateTask, ({ params, body }) => ({ taskId: params.id, body })),
    getTaskDeletionImpact: read(getTaskDeletionImpact, ({ params }) => params.id),
    deleteTask: write(deleteTask, ({ params }) => params.id),
    toggleTaskStatus: write(toggleTaskStatus, ({ params }) => params.id),
    listAssignmentsOfTask: read(listAssignmentsOfTask, ({ params }) => params.id),
    listTaskAssignments: read(listTaskAssignments, ({ query }) => query),
    createTaskAssignment: write(createTaskAssignment, ({ body }) => body),
    updateTaskAssignment: write(updateTaskAssignment, ({ params, body }) => ({
      assignmentId: params.id,
      body,
    })),
    deleteTaskAssignment: write(deleteTaskAssignment, ({ params }) => params.id),
  };
}
