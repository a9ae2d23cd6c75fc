import { expect, it } from 'vitest';
import { page, shareConsole, visitConsole } from './console.ts';
import { hold } from './users-page.ts';

shareConsole();
visitConsole();

interface Opening {
  path: string;
  /** Absent if the path opens the dialog. */
  button?: string;
  /** Whether a row must be selected first. */
  isOfSelection?: boolean;
  /** The first field waits for this request. */
  late?: string;
  field: string;
}

/** In these dialogs, the first control is not a text field, or the first field or form waits for a request. */
const openings: readonly Opening[] = [
  {
    path: '/admin/llm-providers',
    button: 'Self Managed',
    late: '**/api/v1/provider-registry',
    field: 'Provider type',
  },
  { path: '/admin/blacklist', button: 'Add to Blacklist', field: 'Provider' },
  {
    path: '/admin/users?open=1&act=access',
    late: '**/api/v1/admin/tasks?is_active=true',
    field: 'Task',
  },
  { path: '/admin/users', button: 'Set limits', isOfSelection: true, field: 'Daily quota' },
  { path: '/admin/users', button: 'Add to team', isOfSelection: true, field: 'Team' },
];

/** Runs in the browser: returns the label of the focused element. */
const focusedLabel = 'document.activeElement?.labels?.[0]?.innerText ?? null';

it.each(openings)('the first field of a dialog on $path has the focus: $field', async (opening) => {
  const release = opening.late === undefined ? null : await hold(page, opening.late);
  await page.goto(opening.path);
  if (opening.isOfSelection) await page.getByRole('row').getByRole('checkbox').nth(1).check();
  if (opening.button) await page.getByRole('button', { name: opening.button, exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
  release?.();
  await expect.poll(() => page.evaluate(focusedLabel)).toBe(opening.field);
});
