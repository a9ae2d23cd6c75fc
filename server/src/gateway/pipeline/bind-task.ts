import type { TaskLimit } from '../allowance/task-limit.ts';
import type { TaskEntry } from '../snapshot/entries.ts';
import type { Parsed } from './parse.ts';

/** The task that a request works for, through one person's assignment. */
export interface BoundTask {
  readonly assignmentId: number;
  readonly task: TaskEntry;
}

export interface Bound extends Parsed {
  /** `null` for administrators who name none. */
  readonly task: BoundTask | null;
  readonly taskLimit: TaskLimit | null;
}

/** Stage 4: which task the request works for. */
export function bindTask(exchange: Parsed): Bound {
  return Object.assign(exchange, { task: null, taskLimit: null });
}
