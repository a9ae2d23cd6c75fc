import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { readToken } from '#lib/token.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { DialogFooter } from '../ui/dialog.tsx';
import { focusInDialog, modal, useCloseGuard, useDialogClose } from '../ui/dialog-layer.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './form.module.css';
import type { ContractForm } from './use-contract-form.ts';

const question = {
  title: 'Discard changes?',
  message: 'Your changes have not been saved.',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
  isDanger: true,
};

/** Prompts for confirmation before unsaved input is lost: when the dialog closes, the page changes or the tab closes. */
export function useUnsavedGuard(isDirty: boolean, isSaving: boolean): void {
  const confirm = useConfirm();
  const isInDialog = useDialogClose() !== undefined;
  const [hadSession] = useState(hasSession);
  // Keeps a dialog open until its save has finished, so that the user sees the outcome. The user may still leave the
  // page during a save.
  useCloseGuard(async () => !isSaving && (!isDirty || (await confirm(question))));
  useBlocker({
    disabled: !isDirty || isSaving,
    shouldBlockFn: async ({ current, next }) => {
      // An open dialog is part of the URL, so any change of the URL closes it. A form on the page is lost only if the
      // path changes.
      const isLost = isInDialog || current.pathname !== next.pathname;
      const isSignedOut = hadSession && !hasSession();
      return isLost && !isSignedOut && !(await confirm(question));
    },
    enableBeforeUnload: true,
  });
}

const hasSession = () => readToken() !== null;

/** Selector of focusable fields. Includes loading selects, which get the focus when their options are loaded. */
const fields = 'input:not(:disabled), input[aria-busy="true"], textarea:not(:disabled)';

/** Works even if the form appears after the dialog opened. */
export function focusFirstField(form: HTMLFormElement | null): void {
  if (!form?.closest(modal)) return;
  const field =
    form.querySelector<HTMLElement>('[data-autofocus]') ?? form.querySelector<HTMLElement>(fields);
  // The dialog's focus trap may run later and looks for this attribute.
  field?.setAttribute('data-autofocus', '');
  if (field) focusInDialog(field);
}

interface FormProps<Values, Body> {
  form: ContractForm<Values, Body>;
  onSubmit: (body: Body) => Promise<unknown>;
  submitLabel: string;
  /** Button label while submitting, for example `Creating User...`. */
  pendingLabel: string;
  /** Error text for failures without a message. */
  fallbackProblem?: string;
  isDanger?: boolean;
  /** Whether the submit button is disabled until a value changes, as in edit forms. */
  needsChange?: boolean;
  /** Whether leaving with unsaved changes asks for confirmation. */
  isGuarded?: boolean;
  children: ReactNode;
}

/** In a dialog or drawer, the form has a Cancel button and the buttons are in the dialog footer. */
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
      ref={focusFirstField}
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
      // A disabled button would lose the focus while saving. The form ignores a second press instead.
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
