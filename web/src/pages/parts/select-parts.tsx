import { Button } from '@mantine/core';
import { useState } from 'react';
import { SelectField } from '#components/forms/select-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Drawer } from '#components/ui/drawer.tsx';
import { showMessage } from '#components/ui/toasts.tsx';
import { Part, PartGroup } from './part.tsx';
import styles from './select-parts.module.css';

const roles = [
  { value: 3, label: 'User' },
  { value: 2, label: 'Admin', isDisabled: true, note: 'Limit reached' },
  { value: 4, label: 'Auditor' },
];
const models = Array.from({ length: 24 }, (_, index) => ({
  value: `model-${index + 1}`,
  label: `${index % 2 === 0 ? 'gpt' : 'claude'}-${index + 1}`,
}));

export function SelectParts() {
  return (
    <PartGroup title="Selects">
      <Part name="Short and searchable">
        <RoleChoice />
        <ModelChoice />
      </Part>
      <Part name="Loading, empty, invalid, disabled">
        <SelectField label="Team" options={[]} isLoading loadingText="Loading teams..." />
        <SelectField label="Provider" options={[]} />
        <SelectField
          label="Reason"
          placeholder="Select a reason"
          options={roles}
          error="Reason is required"
        />
        <SelectField label="Plan" options={[{ value: 1, label: 'Enterprise' }]} value={1} disabled />
      </Part>
      <Part name="In a form">
        <form
          aria-label="Sent by Enter"
          onSubmit={(event) => {
            event.preventDefault();
            showMessage('The form was sent');
          }}
        >
          <RoleChoice label="Role of the invitation" />
          <Button type="submit">Send</Button>
        </form>
      </Part>
      <Part name="In a scrollable container">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <section aria-label="Scrollable container" tabIndex={0} className={styles.scrolled}>
          <ModelChoice label="Scrolled model" />
        </section>
      </Part>
      <OverParts />
    </PartGroup>
  );
}

function OverParts() {
  const [open, setOpen] = useState<'dialog' | 'drawer' | null>(null);
  const close = () => setOpen(null);
  return (
    <Part name="In a dialog, a drawer">
      <Button onClick={() => setOpen('dialog')}>Select in a dialog</Button>
      <Button variant="default" onClick={() => setOpen('drawer')}>
        Select in a drawer
      </Button>
      <Dialog isOpen={open === 'dialog'} onClose={close} title="Selects of a dialog">
        <ModelChoice label="Dialog model" />
      </Dialog>
      <Drawer isOpen={open === 'drawer'} onClose={close} title="Selects of a drawer">
        <ModelChoice label="Drawer model" />
      </Drawer>
    </Part>
  );
}

function RoleChoice({ label = 'Role' }: { label?: string }) {
  const [role, setRole] = useState('');
  return (
    <SelectField
      label={label}
      description="Permissions of the user."
      placeholder="Select a role"
      options={roles}
      value={role}
      onChange={setRole}
    />
  );
}

function ModelChoice({ label = 'Model' }: { label?: string }) {
  const [model, setModel] = useState('model-20');
  return <SelectField label={label} options={models} value={model} onChange={setModel} />;
}
