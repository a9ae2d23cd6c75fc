/** The history lists the user's tasks, which other screens query too. */
export { userTasksQuery as taskHistoryQuery } from '../../lib/user-tasks.ts';
