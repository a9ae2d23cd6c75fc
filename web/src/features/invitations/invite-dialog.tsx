import { createInvitationBody, type Invitation } from '@sluice/contract';
import { useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { EmailField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { LinkHandover } from '#features/outbox/index.ts';
import { RoleNameField } from '#features/roles/index.ts';
import styles from './invite-dialog.module.css';
import { InviteManyForm } from './invite-many.tsx';
import { useInvite } from './queries.ts';

interface InviteUserDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function InviteUserDialog({ isOpen, onClose }: InviteUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Invite User">
      <InviteUsers onClose={onClose} />
    </Dialog>
  );
}

const counts = [
  { value: 'one', label: 'One address' },
  { value: 'several', label: 'Several addresses' },
] as const;

function InviteUsers({ onClose }: { onClose: () => void }) {
  const [count, setCount] = useState<(typeof counts)[number]['value']>('one');
  const [isSent, setSent] = useState(false);
  return (
    <>
      {!isSent && (
        <div className={styles.count}>
          <SegmentedSwitch label="Number of addresses" options={counts} value={count} onChange={setCount} />
        </div>
      )}
      {count === 'one' ? (
        <InviteUser onClose={onClose} onSent={() => setSent(true)} />
      ) : (
        <InviteManyForm onDone={onClose} />
      )}
    </>
  );
}

interface InviteUserProps {
  onClose: () => void;
  onSent: () => void;
}

function InviteUser({ onClose, onSent }: InviteUserProps) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const invite = useInvite();
  const form = useContractForm({
    schema: createInvitationBody,
    initialValues: { email: '', role: 'user' },
  });
  if (invitation) return <LinkHandover address={invitation.email} onDone={onClose} onDelivered={onClose} />;
  return (
    <Form
      form={form}
      submitLabel="Send Invitation"
      pendingLabel="Sending Invitation..."
      fallbackProblem="Failed to send invitation"
      onSubmit={async (body) => {
        const sent = await invite.mutateAsync({ body });
        showSuccess(`${sent.email} is invited`);
        setInvitation(sent);
        onSent();
      }}
    >
      <EmailField label="Email" data-autofocus {...form.bind('email')} autoComplete="off" />
      <RoleNameField {...form.bind('role')} />
      <p className="quiet">An invitation expires after 7 days. Until then it can be resent or cancelled.</p>
    </Form>
  );
}
