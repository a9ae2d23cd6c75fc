/** The history is all of one's own tasks, which other screens show too. */
export { userTasksQuery as taskHistoryQuery } from '../../lib/user-tasks.ts';
