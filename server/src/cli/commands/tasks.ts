import { createTaskAssignmentBody, createTaskBody } from '@sluice/contract';
import { createTaskAssignment } from '#console/tasks/assignments.ts';
import { createTask as createTaskOfTenant } from '#console/tasks/change.ts';
import { type Command, idOperand, operandOf, parseBody, textOption } from '../command.ts';
import { asOperator, type Operator, type Person } from '../operator.ts';
import { requireTenantId } from '../store.ts';

export const createTask: Command = {
  name: 'tasks create',
  operands: ['TITLE'],
  summary: 'Creates a task, which users need to send requests',
  options: {
    description: { value: 'TEXT', summary: 'description; default: the title' },
    assign: { value: 'EMAIL', summary: 'assigns it to this user and creates it in the tenant of the user' },
    tenant: { value: 'SLUG', summary: 'tenant of the new object; required if there are several tenants' },
  },
  async run(call) {
    const title = operandOf(call, 'TITLE');
    const body = parseBody(createTaskBody, { title, description: textOption(call, 'description') ?? title });
    const email = textOption(call, 'assign');
    const task = await asOperator(call.config, async ({ system, requirePerson, inTenant }) => {
      const person = email === undefined ? null : await requirePerson(email);
      const tenantId = person?.tenantId ?? (await requireTenantId(system, textOption(call, 'tenant')));
      const created = await inTenant(tenantId, 'createTask', (tx, author) =>
        createTaskOfTenant(tx, author, body),
      );
      if (person) await assign(inTenant, person, created.id);
      return created;
    });
    const assigned = email === undefined ? '' : ` and assigned it to ${email}`;
    return { json: task, text: `Created the task ${task.id}, "${task.title}"${assigned}.` };
  },
};

export const assignTask: Command = {
  name: 'tasks assign',
  operands: ['ID', 'EMAIL'],
  summary: 'Assigns a task to a user',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const taskId = idOperand(call, 'ID');
    const assignment = await asOperator(call.config, async ({ requirePerson, inTenant }) =>
      assign(inTenant, await requirePerson(email), taskId),
    );
    return { json: assignment, text: `Assigned the task ${taskId} to ${email}.` };
  },
};

function assign(inTenant: Operator['inTenant'], { id: userId, tenantId }: Person, taskId: number) {
  const body = parseBody(createTaskAssignmentBody, { task_id: taskId, user_id: userId });
  return inTenant(tenantId, 'createTaskAssignment', (tx, author) => createTaskAssignment(tx, author, body));
}
