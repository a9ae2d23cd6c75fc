import { useRouteContext } from '@tanstack/react-router';
import { ChatScreen } from '#features/chats/screen.tsx';

export function ChatPage() {
  const user = useRouteContext({ from: '/signed-in/chat', select: (context) => context.user });
  return <ChatScreen user={user} />;
}
