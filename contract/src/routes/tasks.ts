import { z } from 'zod';
import { flag, isPlainLine, notPlainLine } from '../fields.ts';
import { id, idOr, idParams, instant } from '../ids.ts';
import { spend } from '../money.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

export const taskCategories = ['coding', 'testing', 'documentation', 'research', 'other'] as const;
export const taskDifficulties = ['beginner', 'intermediate', 'advanced'] as const;
export const assignmentStatuses = ['active', 'completed', 'cancelled'] as const;

export const taskDefaults = {
  category: 'coding',
  difficulty_level: 'beginner',
  estimated_hours: 1,
  token_limit: 10_000,
  max_tokens_per_request: 1_000,
  is_active: true,
} as const;

export const titleMax = 200;
export const descriptionMax = 10_000;
export const overTokenLimit = 'Per-request limit cannot exceed total token limit';

const title = z
  .string('Title is required')
  .trim()
  .min(1, 'Title is required')
  .min(3, 'Title must be at least 3 characters')
  .max(titleMax, `Title must be at most ${titleMax} characters`)
  .refine(isPlainLine, notPlainLine('Title'));

const description = z
  .string('Description is required')
  .trim()
  .min(1, 'Description is required')
  .min(10, 'Description must be at least 10 characters')
  .max(descriptionMax, `Description must be at most ${descriptionMax} characters`);

const estimatedHours = z
  .number('Estimated hours must be a number')
  .min(0.5, 'Estimated hours must be at least 0.5')
  .max(1000, 'Estimated hours cannot exceed 1000')
  .multipleOf(0.5, 'Estimated hours must be a multiple of 0.5');

export const noTokenLimit = 'Token limit must be a whole number';

const tokenLimit = z
  .number(noTokenLimit)
  .int(noTokenLimit)
  .min(1_000, 'Token limit must be at least 1,000')
  .max(1_000_000, 'Token limit cannot exceed 1,000,000')
  .multipleOf(1_000, 'Token limit must be a multiple of 1,000');

export const noRequestLimit = 'Per-request limit must be a whole number';

const maxTokensPerRequest = z
  .number(noRequestLimit)
  .int(noRequestLimit)
  .min(100, 'Per-request limit must be at least 100')
  .max(10_000, 'Per-request limit cannot exceed 10,000');

const category = z.enum(taskCategories);
const difficulty = z.enum(taskDifficulties);

const isWithinTotal = (task: Partial<Record<'token_limit' | 'max_tokens_per_request', number | null>>) =>
  (task.max_tokens_per_request ?? 0) <= (task.token_limit ?? Number.POSITIVE_INFINITY);

export const regularTaskBody = z
  .strictObject({
    title,
    description,
    category: category.default(taskDefaults.category),
    difficulty_level: difficulty.default(taskDefaults.difficulty_level),
    estimated_hours: estimatedHours.default(taskDefaults.estimated_hours),
    token_limit: tokenLimit.default(taskDefaults.token_limit),
    max_tokens_per_request: maxTokensPerRequest.default(taskDefaults.max_tokens_per_request),
    is_active: z.boolean().default(taskDefaults.is_active),
    is_dummy_task: z.literal(false).optional(),
  })
  .refine(isWithinTotal, { path: ['max_tokens_per_request'], message: overTokenLimit });

/** The task is created and assigned in one step. */
export const apiAccessTaskBody = z.strictObject({
  is_dummy_task: z.literal(true),
  user_id: idOr('Please select a user for API access'),
});

/** `is_dummy_task` is true for an API access task. */
export const createTaskBody = z.discriminatedUnion('is_dummy_task', [apiAccessTaskBody, regularTaskBody]);

/** Changed fields only. `null` is accepted for a task without a limit, but an existing limit cannot be removed. */
export const updateTaskBody = z
  .strictObject({
    title,
    description,
    category,
    difficulty_level: difficulty,
    estimated_hours: estimatedHours,
    token_limit: tokenLimit.nullable(),
    max_tokens_per_request: maxTokensPerRequest.nullable(),
    is_active: z.boolean(),
  })
  .partial()
  .refine(isWithinTotal, { path: ['max_tokens_per_request'], message: overTokenLimit });

/** `token_limit` and `max_tokens_per_request` are `null` if the task sets no limit. */
export const task = z.object({
  id: z.number().int(),
  title: z.string(),
  description: z.string(),
  category: z.enum(taskCategories),
  difficulty_level: z.enum(taskDifficulties),
  estimated_hours: z.number(),
  token_limit: z.number().nullable(),
  max_tokens_per_request: z.number().nullable(),
  is_active: z.boolean(),
  created_at: instant,
  assigned_users_count: z.number().int(),
  total_requests: z.number().int(),
  has_assignments: z.boolean(),
  is_dummy_task: z.boolean(),
  user_id: z.number().int().nullable(),
  ...spend,
});

export type Task = z.infer<typeof task>;

export const taskAssignment = z.object({
  id: z.number().int(),
  task_id: z.number().int(),
  task_title: z.string(),
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  is_blocked: z.boolean(),
  status: z.enum(assignmentStatuses),
  progress_notes: z.string(),
  tokens_used: z.number(),
  token_limit: z.number().nullable(),
  total_requests: z.number().int(),
  last_request_at: instant.nullable(),
  assigned_by_name: z.string().nullable(),
  assigned_at: instant,
  completion_date: instant.nullable(),
});

export type TaskAssignment = z.infer<typeof taskAssignment>;

export const taskDeletionImpact = z.object({
  active_assignments_count: z.number().int(),
  affected_users: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      user_email: z.string(),
      assignment_duration_days: z.number().int(),
      assigned_since: instant,
    }),
  ),
  warnings: z.array(z.string()),
});

export type TaskDeletionImpact = z.infer<typeof taskDeletionImpact>;

/** Covers all tasks. Tokens include only active assignments. */
export const taskUserStats = z.object({
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  is_blocked: z.boolean(),
  active_tasks: z.number().int(),
  completed_tasks: z.number().int(),
  tokens_used: z.number(),
  token_limit: z.number().nullable(),
});

const progressNotes = z.string().trim().max(2_000, 'Progress notes must be at most 2,000 characters');

const assigned = { task_id: idOr('Please select a task'), user_id: idOr('Please select a user') };

export const createTaskAssignmentBody = z.strictObject({
  ...assigned,
  progress_notes: progressNotes.nullish().transform((notes) => notes ?? ''),
});

/** Changed fields only. Changing the task or the user ends this assignment and creates a new one, which is returned. */
export const updateTaskAssignmentBody = z
  .strictObject({ ...assigned, progress_notes: progressNotes, status: z.enum(assignmentStatuses) })
  .partial();

const read = { surface: 'management', permission: 'tasks.read' } as const;
const write = { surface: 'management', permission: 'tasks.write' } as const;

export const tasksRoutes = defineRoutes({
  listTasks: {
    ...read,
    method: 'GET',
    path: '/admin/tasks',
    summary: 'List all tasks of the tenant that match the filters, newest first',
    request: {
      query: z.strictObject({
        category: category.optional(),
        difficulty_level: difficulty.optional(),
        is_active: flag.optional(),
        search: z.string().trim().max(200).optional(),
      }),
    },
    response: z.array(task),
  },
  getTaskUserStats: {
    ...read,
    method: 'GET',
    path: '/admin/tasks/user-stats',
    summary: 'Get the number of tasks per user and the tokens used for them',
    response: z.array(taskUserStats),
  },
  getTask: {
    ...read,
    method: 'GET',
    path: '/admin/tasks/{id}',
    summary: 'Get a task',
    request: { params: idParams },
    response: task,
  },
  createTask: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/tasks',
    summary: "Create a task, or a user's API access task",
    request: { body: createTaskBody },
    response: task,
    status: 201,
  },
  updateTask: {
    ...write,
    method: 'PUT',
    path: '/admin/tasks/{id}',
    summary: 'Change some fields of a task',
    request: { params: idParams, body: updateTaskBody },
    response: task,
  },
  getTaskDeletionImpact: {
    ...read,
    method: 'GET',
    path: '/admin/tasks/{id}/deletion-impact',
    summary: 'List the users who would lose a task if it were deleted',
    request: { params: idParams },
    response: taskDeletionImpact,
  },
  deleteTask: {
    ...write,
    method: 'DELETE',
    path: '/admin/tasks/{id}',
    summary: 'Delete a task and end its active assignments; logged requests keep its name',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
  toggleTaskStatus: {
    ...write,
    method: 'PATCH',
    path: '/admin/tasks/{id}/toggle-status',
    summary: 'Toggle whether a task is active',
    request: { params: idParams },
    response: task,
  },
  listAssignmentsOfTask: {
    ...read,
    method: 'GET',
    path: '/admin/tasks/{id}/assignments',
    summary: 'List the assignments of a task, active ones first',
    request: { params: idParams },
    response: z.array(taskAssignment),
  },
  listTaskAssignments: {
    ...read,
    method: 'GET',
    path: '/admin/task-assignments',
    summary: "List the tenant's assignments, newest first",
    request: {
      query: z.strictObject({
        task_id: id.optional(),
        user_id: id.optional(),
        status: z.enum(assignmentStatuses).optional(),
        ...pageQuery(100),
        before: pageBefore,
      }),
    },
    response: z.array(taskAssignment),
  },
  createTaskAssignment: {
    idempotent: true,
    ...write,
    method: 'POST',
    path: '/admin/task-assignments',
    summary: 'Assign a task to a user',
    request: { body: createTaskAssignmentBody },
    response: taskAssignment,
    status: 201,
  },
  updateTaskAssignment: {
    ...write,
    method: 'PUT',
    path: '/admin/task-assignments/{id}',
    summary: 'Change the notes or the status of an assignment, or reassign the task to another user',
    request: { params: idParams, body: updateTaskAssignmentBody },
    response: taskAssignment,
  },
  deleteTaskAssignment: {
    ...write,
    method: 'DELETE',
    path: '/admin/task-assignments/{id}',
    summary: 'Remove a user from a task; usage stays counted',
    request: { params: idParams },
    response: z.undefined(),
    status: 204,
  },
});
