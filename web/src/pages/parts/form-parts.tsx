import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../components/ui/dialog.tsx';
import { Part, PartGroup } from './part.tsx';
import { UserForm } from './user-form.tsx';

export function FormParts() {
  const [isOpen, setOpen] = useState(false);
  return (
    <PartGroup title="Forms">
      <Part name="In a dialog">
        <Button onClick={() => setOpen(true)}>+ Create User</Button>
        <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Create User">
          <UserForm onSaved={() => setOpen(false)} />
        </Dialog>
        <Link to="/">Leave the page</Link>
      </Part>
      <Part name="On a page">
        <UserForm onSaved={() => undefined} />
      </Part>
    </PartGroup>
  );
}
