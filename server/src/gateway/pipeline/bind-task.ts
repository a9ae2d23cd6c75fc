import { chooseTask } from '#domain/choose-task.ts';
import { keyLimitsOf } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { addResult, type Bound, type Parsed } from '../exchange.ts';
import { bindLabels } from '../request-log/bind-labels.ts';
import { formatTasks } from '../response/minimal-completion.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * Stage 5: binds the request to a task. A task in the body takes precedence over the header, which clients may set
 * once for all requests.
 */
export function bindTask(exchange: Parsed, snapshot: Snapshot): Bound {
  const { completion, principal, request } = exchange;
  const own = listOwnTasks(principal.userId, snapshot);
  const limits = keyLimitsOf(principal);
  const given = completion.taskId ?? readTaskHeader(request.headers['x-task-id']);
  if (limits?.isTaskKey && given !== null && given !== limits.taskId) throw otherTaskError(limits.taskId);
  const named = given ?? limits?.taskId ?? null;
  const chosen = chooseTask(own, named, principal.role !== 'user');
  if (chosen.kind === 'required') throw taskRequiredError(own);
  if (chosen.kind === 'not-own') throw taskNotFoundError(own, named);
  if (chosen.kind === 'none') {
    const labelsUnder = bindLabels(exchange, null, snapshot);
    return addResult(exchange, 'bindTask', { task: null, taskLimit: null, labelsUnder });
  }
  const { assignmentId, entry } = chosen.task;
  const taskLimit = { assignmentId, answerTokensMax: entry.maxTokensPerRequest };
  const labelsUnder = bindLabels(exchange, entry, snapshot);
  return addResult(exchange, 'bindTask', { task: { assignmentId, task: entry }, taskLimit, labelsUnder });
}

function listOwnTasks(userId: number, snapshot: Snapshot) {
  return snapshot.assignments.find(userId).flatMap(({ id: assignmentId, taskId }) => {
    const entry = snapshot.tasks.get(taskId);
    if (!entry?.isActive) return [];
    return { id: taskId, title: entry.title, isApiAccess: entry.isApiAccess, assignmentId, entry };
  });
}

type OwnTasks = ReturnType<typeof listOwnTasks>;

const taskIdMax = 2 ** 31 - 1;

function readTaskHeader(value: string | string[] | undefined): number | null {
  if (value === undefined || value === '') return null;
  const id = typeof value === 'string' && /^[1-9][0-9]{0,9}$/.test(value) ? Number(value) : Number.NaN;
  if (id <= taskIdMax) return id;
  throw new GatewayError('invalid_request', "Invalid value for 'X-Task-Id': must be a task id.", {
    param: 'X-Task-Id',
  });
}

const howToName = 'Set the task of this request with "task_id" in the body or with the X-Task-Id header.';

function taskRequiredError(own: OwnTasks): GatewayError {
  const tasks = own.toSorted(byId);
  const words = tasks.length === 0 ? 'Every request needs a task.' : howToName;
  return new GatewayError('task_required', `${words} ${formatTasks(tasks)}`, { param: 'task_id', tasks });
}

const byId = (one: OwnTasks[number], other: OwnTasks[number]) => one.id - other.id;

function otherTaskError(taskId: number | null): GatewayError {
  return new GatewayError(
    'task_not_found',
    `This API key is limited to task ${taskId}. Omit the task, or use another key.`,
    { param: 'task_id' },
  );
}

/** Missing tasks, ended tasks and other users' tasks get the same error, so that ids reveal nothing. */
function taskNotFoundError(own: OwnTasks, named: number | null): GatewayError {
  const tasks = own.toSorted(byId);
  const words = `Task ${named} does not exist, is not assigned to you, or is not active.`;
  return new GatewayError('task_not_found', `${words} ${formatTasks(tasks)}`, { param: 'task_id', tasks });
}
