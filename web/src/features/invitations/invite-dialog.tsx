import { createInvitationBody, type Invitation } from '@sluice/contract';
import { type ReactNode, useState } from 'react';
import { Form } from '#components/forms/form.tsx';
import { EmailField } from '#components/forms/text-field.tsx';
import { useContractForm } from '#components/forms/use-contract-form.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { showSuccess } from '#components/ui/toasts.tsx';
import { useInvite } from './queries.ts';

/** Role field, passed in by the page because it belongs to another feature. */
export type RoleNameSlot = (field: { value?: string; error?: ReactNode }) => ReactNode;

interface InviteUserDialogProps {
  isOpen: boolean;
  onClose: () => void;
  roleField: RoleNameSlot;
  /** Renders the created invitation, such as its link. */
  handover: (invitation: Invitation, onDone: () => void) => ReactNode;
}

export function InviteUserDialog({ isOpen, onClose, ...props }: InviteUserDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Invite User">
      <InviteUser onClose={onClose} {...props} />
    </Dialog>
  );
}

function InviteUser({ onClose, roleField, handover }: Omit<InviteUserDialogProps, 'isOpen'>) {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const invite = useInvite();
  const form = useContractForm({
    schema: createInvitationBody,
    initialValues: { email: '', role: 'user' },
  });
  if (invitation) return handover(invitation, onClose);
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
      }}
    >
      <EmailField label="Email" data-autofocus {...form.bind('email')} autoComplete="off" />
      {roleField(form.bind('role'))}
      <p className="quiet">An invitation expires after 7 days. Until then it can be resent or cancelled.</p>
    </Form>
  );
}
