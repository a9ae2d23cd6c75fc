import { addPasskeyBody, passkeyNameMax } from '@sluice/contract';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { TextField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { PasswordGate } from './password-gate.tsx';
import { useAddPasskey } from './queries.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

interface PasskeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The first second factor also creates recovery codes. */
export function PasskeyDialog({ isOpen, onClose }: PasskeyDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add passkey" size="sm">
      <PasswordGate>
        <PasskeySteps onDone={onClose} />
      </PasswordGate>
    </Dialog>
  );
}

const nameOnly = addPasskeyBody.pick({ name: true });

function PasskeySteps({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = useAddPasskey();
  const form = useContractForm({ schema: nameOnly, initialValues: { name: '' } });
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  return (
    <Form
      form={form}
      submitLabel="Create passkey"
      pendingLabel="Waiting for the browser..."
      fallbackProblem="The passkey could not be added"
      isGuarded={false}
      onSubmit={async ({ name }) => {
        const made = await add.mutateAsync(name);
        showSuccess('Passkey added. Your other sessions have ended.');
        if (made) setCodes(made);
        else onDone();
      }}
    >
      <p className="quiet">
        A passkey is stored on this device, on a security key or in a password manager. Your browser asks you
        where.
      </p>
      <TextField
        label="Name"
        placeholder="Laptop"
        maxLength={passkeyNameMax}
        data-autofocus
        autoFocus
        {...form.bind('name')}
      />
    </Form>
  );
}
