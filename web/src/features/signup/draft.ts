import { type BillingCycle, foldPassword, signupAccount } from '@sluice/contract';

export interface SignupDraft {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly confirmation: string;
  readonly company_name: string;
  readonly selected_plan_id: string;
  readonly billing_cycle: BillingCycle;
}

export const emptyDraft: SignupDraft = {
  name: '',
  email: '',
  password: '',
  confirmation: '',
  company_name: '',
  selected_plan_id: '',
  billing_cycle: 'monthly',
};

/** Values are stored for a reload. Passwords are never stored. */
export function storableOf({ password: _password, confirmation: _confirmation, ...fields }: SignupDraft) {
  return fields;
}

export interface DraftProblem {
  readonly field: keyof SignupDraft;
  readonly message: string;
}

const person = signupAccount.pick({ name: true, email: true, password: true });
const purchase = signupAccount.pick({ company_name: true, selected_plan_id: true, billing_cycle: true });

/** Returns the first problem in field order, or `null` if all fields are valid. */
export function findProblem(draft: SignupDraft): DraftProblem | null {
  const { confirmation, ...account } = draft;
  const { name, email, password, ...bought } = account;
  const mismatch: DraftProblem = { field: 'confirmation', message: 'Passwords do not match' };
  return (
    toProblem(person.safeParse({ name, email, password })) ??
    (foldPassword(confirmation) === foldPassword(password) ? null : mismatch) ??
    toProblem(purchase.safeParse(bought))
  );
}

function toProblem({
  error,
}: {
  error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] };
}): DraftProblem | null {
  const [issue] = error?.issues ?? [];
  // safe because each schema belongs to a field of the draft
  return issue ? { field: issue.path[0] as keyof SignupDraft, message: issue.message } : null;
}
