export const noTasksTitle = 'No Tasks Assigned';

/** Explains to a user without tasks how to get one; administrators can assign tasks themselves. */
export const describeNoTasks = (mayAssign: boolean): string =>
  mayAssign
    ? 'Assign yourself a task in Task Management. Administrators can also send requests without a task.'
    : 'Please contact your administrator to get a task assigned to you.';
