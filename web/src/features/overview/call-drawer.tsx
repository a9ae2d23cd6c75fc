import { Drawer } from '#components/ui/drawer.tsx';
import { CallHelp } from './call-panel.tsx';

interface CallDrawerProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The example calls as help next to the cockpit. Loaded when it is opened, since drawers are not part of a first load. */
export function CallDrawer({ isOpen, onClose }: CallDrawerProps) {
  return (
    <Drawer isOpen={isOpen} onClose={onClose} title="Call this gateway">
      <CallHelp />
    </Drawer>
  );
}
