import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogFooter } from '../ui/dialog.tsx';
import { useDialogClose } from '../ui/dialog-layer.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './form.module.css';
import type { ContractForm } from './use-contract-form.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface FormProps<Values, Body> {
  form: ContractForm<Values, Body>;
  /** Saves what the schema made of the fields; a rejection is shown in the form. */
  onSubmit: (body: Body) => Promise<unknown>;
  submitLabel: string;
  /** Button label while submitting: `Creating User...`. */
  pendingLabel: string;
  /** Said when the failure has no words of its own. */
  fallbackProblem?: string;
  isDanger?: boolean;
  /** Refuses while there is nothing to save, as when editing. */
  needsChange?: boolean;
  /** Whether leaving with unsaved changes asks first. */
  isGuarded?: boolean;
  children: ReactNode;
}

/** Fields, what went wrong, and the buttons; in a dialog or drawer it has Cancel and its footer. */
export function Form<Values, Body>({
  form,
  onSubmit,
  children,
  isGuarded = true,
  ...props
}: FormProps<Values, Body>) {
  useUnsavedGuard(isGuarded && form.isDirty, form.isPending);
  return (
    <form
      className={styles.form}
      onSubmit={form.submit(onSubmit, props.fallbackProblem)}
      aria-busy={form.isPending}
      noValidate
    >
      <div className={styles.fields}>{children}</div>
      <div role="alert" className={styles.problem}>
        {form.problem !== null && <StatusMark kind="bad">{form.problem}</StatusMark>}
      </div>
      <FormButtons form={form} {...props} />
    </form>
  );
}

type FormButtonsProps = Omit<FormProps<unknown, never>, 'form' | 'onSubmit' | 'children'> & {
  form: Pick<ContractForm<unknown, never>, 'isDirty' | 'isPending'>;
};

function FormButtons({
  form,
  submitLabel,
  pendingLabel,
  isDanger = false,
  needsChange = false,
}: FormButtonsProps) {
  const closeDialog = useDialogClose();
  const submit = (
    <Button
      type="submit"
      color={isDanger ? 'danger' : 'petrol'}
      disabled={needsChange && !form.isDirty}
      // Not disabled while saving, since that would drop the focus; the form itself refuses the second press.
      aria-disabled={form.isPending}
      data-pending={form.isPending || undefined}
    >
      {form.isPending ? pendingLabel : submitLabel}
    </Button>
  );
  if (closeDialog === undefined) return <div className={styles.buttons}>{submit}</div>;
  return (
    <DialogFooter>
      <Button variant="default" onClick={closeDialog}>
        Cancel
      </Button>
      {submit}
    </DialogFooter>
  );
}
