import type { MiddlewareHandler } from 'hono';

const ownNames = ['127.0.0.1', 'localhost'];

// The page may hold the key of a real service, so no other web page may reach it: neither under a name that was
// pointed at this machine afterwards (Host), nor with a request of its own (Origin).
/** Refuses requests that this workbench's own page did not make. */
export const guard: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host') ?? '';
  const origin = context.req.header('origin');
  if (!ownNames.includes(host.replace(/:\d+$/, '')) || (origin !== undefined && origin !== `http://${host}`)) {
    return context.json({ message: 'The workbench answers its own page only' }, 403);
  }
  return next();
};
