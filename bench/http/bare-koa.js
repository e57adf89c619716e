/** The least that an answer to a poll takes: Koa with the router and Helmet, and a state in memory. Its parent is told its address. */

import { Router } from '@koa/router';
import Koa from 'koa';
import helmet from 'koa-helmet';

const STATE = {
  id: '0123456789abcdefghjkmnpqrs',
  status: 'complete',
  createdAt: new Date(0).toISOString(),
  total: 10,
  completed: 10,
  failed: 0,
  creditsCharged: 10,
  downloadUrl: `/d/0123456789abcdefghjkmnpqrs?expires=0&signature=${'0'.repeat(43)}`,
};

const router = new Router().get('/api/v1/jobs/:jobId', (ctx) => {
  ctx.body = STATE;
});
const server = new Koa()
  .use(helmet())
  .use(router.routes())
  .listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
