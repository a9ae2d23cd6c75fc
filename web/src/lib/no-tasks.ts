export const noTasksTitle = 'No Tasks Assigned';

export const describeNoTasks = (mayAssign: boolean): string =>
  mayAssign
    ? 'Assign yourself a task in Task Management. Administrators can also send requests without a task.'
    : 'Please contact your administrator to get a task assigned to you.';
