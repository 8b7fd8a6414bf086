// NestJS on Express: dependency injection, guards, pipes, interceptors, filters, an event stream. Decorators are called
// as functions, as JavaScript has none.
import 'reflect-metadata';
import { BadRequestException, Body, Catch, Controller, Get, HttpException, Inject, Injectable, Module, Param,
  ParseIntPipe, Post, Query, Sse, UseGuards, UseInterceptors } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { from, map, tap } from 'rxjs';

function decorate(target, name, ...decorators) {
  Reflect.decorate(decorators, target.prototype, name, Object.getOwnPropertyDescriptor(target.prototype, name));
}

function parameter(target, name, index, decorator) {
  decorator(target.prototype, name, index);
}

class Cats {
  constructor(prefix) {
    this.prefix = prefix;
    this.cats = ['tom'];
  }

  onModuleInit() { console.log('initialized', this.prefix); }
  onApplicationShutdown(signal) { console.log('shut down', signal); }
}
Injectable()(Cats);
Inject('PREFIX')(Cats, undefined, 0);

class Guard {
  canActivate(context) { return context.switchToHttp().getRequest().headers['x-key'] === 'secret'; }
}
Injectable()(Guard);

class Timing {
  intercept(context, next) {
    const report = tap(() => console.log('intercepted', context.getHandler().name));
    return next.handle().pipe(map((data) => ({ data })), report);
  }
}
Injectable()(Timing);

class CatsController {
  constructor(cats) { this.cats = cats; }
  all(filter) { return this.cats.cats.filter((cat) => !filter || cat.startsWith(filter)); }
  async create(body) {
    if (typeof body.name !== 'string') throw new BadRequestException('name is missing');
    this.cats.cats.push(body.name);
    return this.cats.cats.length;
  }

  events() { return from([1, 2, 3]).pipe(map((n) => ({ data: { n }, id: String(n) }))); }
  fails() { throw new TypeError('of the controller'); }
  one(id) {
    const cat = this.cats.cats[id];
    if (cat === undefined) throw new HttpException(`no cat ${id}`, 404);
    return { cat };
  }
}
Controller('cats')(CatsController);
Inject(Cats)(CatsController, undefined, 0);
decorate(CatsController, 'all', Get(), UseInterceptors(Timing));
parameter(CatsController, 'all', 0, Query('filter'));
decorate(CatsController, 'events', Sse('events'));
decorate(CatsController, 'fails', Get('fails'));
decorate(CatsController, 'one', Get(':id'));
parameter(CatsController, 'one', 0, Param('id', ParseIntPipe));
decorate(CatsController, 'create', Post(), UseGuards(Guard));
parameter(CatsController, 'create', 0, Body());

class TypeErrors {
  catch(error, host) { host.switchToHttp().getResponse().status(418).json({ caught: error.message }); }
}
Catch(TypeError)(TypeErrors);

class AppModule {}
const prefix = { provide: 'PREFIX', useFactory: async () => 'the ' };
Module({ controllers: [CatsController], providers: [Cats, prefix] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
app.useGlobalFilters(new TypeErrors());
app.enableShutdownHooks();
app.setGlobalPrefix('api');
await app.listen(0, '127.0.0.1');
const base = `${await app.getUrl()}/api/cats`;
for (const [path, options] of [
  ['', {}], ['?filter=x', {}], ['/0', {}], ['/7', {}], ['/x', {}], ['/fails', {}], ['/events', {}],
  ['', { method: 'POST', body: '{"name":"ann"}' }],
  ['', { method: 'POST', body: '{"name":"ann"}', headers: { 'x-key': 'secret' } }],
  ['', { method: 'POST', body: '{}', headers: { 'x-key': 'secret' } }],
  ['', { method: 'POST', body: '{', headers: { 'x-key': 'secret' } }],
  ['', {}],
]) {
  const headers = { 'content-type': 'application/json', ...options.headers };
  const response = await fetch(base + path, { ...options, headers });
  console.log(options.method ?? 'GET', path, response.status, response.headers.get('content-type'),
    await response.text());
}
await app.close();
console.log('closed');
