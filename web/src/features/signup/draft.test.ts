import { expect, it } from 'vitest';
import { emptyDraft, findProblem, type SignupDraft } from './draft.ts';

const draft: SignupDraft = {
  ...emptyDraft,
  name: 'Grace Hopper',
  email: 'grace@hopper.test',
  password: 'cobol-1959',
  confirmation: 'cobol-1959',
  selected_plan_id: 'pro',
};

it('findProblem returns null for a complete draft, even without a company', () => {
  expect(findProblem(draft)).toBeNull();
});

it.each<[given: Partial<SignupDraft>, field: keyof SignupDraft, message: string]>([
  [emptyDraft, 'name', 'Name is required'],
  [{ name: 'G' }, 'name', 'Name must be at least 2 characters'],
  [{ email: '', password: '' }, 'email', 'Email is required'],
  [{ email: 'grace', password: '' }, 'email', 'Please enter a valid email'],
  [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
  [{ confirmation: 'cobol', selected_plan_id: '' }, 'confirmation', 'Passwords do not match'],
  [{ selected_plan_id: '', billing_cycle: 'yearly' }, 'selected_plan_id', 'Please select a plan'],
  [{ billing_cycle: 'yearly' }, 'billing_cycle', 'Only monthly billing is supported currently'],
])('findProblem given %j returns the field %s with the message %s', (given, field, message) => {
  expect(findProblem({ ...draft, ...given })).toEqual({ field, message });
});
