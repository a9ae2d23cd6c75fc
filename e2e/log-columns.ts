export const specifiedLogColumns = [
  'Request ID',
  'Timestamp',
  'User',
  'Prompt',
  'Model',
  'Status',
  'Response Time',
  'Prompt Tokens',
  'Completion Tokens',
  'Task',
] as const;
