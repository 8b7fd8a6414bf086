// GraphQL Yoga and Apollo Server: queries, mutations, errors, and a subscription as an event stream.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createSchema, createYoga } from 'graphql-yoga';

const typeDefs = `
  type Book { id: ID!, title: String!, author: Author! }
  type Author { name: String!, books: [Book!]! }
  type Query { books(first: Int = 10): [Book!]!, fails: String, who: String }
  type Mutation { add(title: String!, author: String!): Book! }`;
const makeStore = () => {
  const books = [{ id: '1', title: 'one', author: 'ann' }];
  return {
    Query: { books: (_, { first }) => books.slice(0, first), fails: async () => { throw new Error('of the resolver'); },
      who: (_, args, { name }) => name },
    Mutation: { add: (_, book) => books[books.push({ id: String(books.length + 1), ...book }) - 1] },
    Book: { author: ({ author }) => ({ name: author }) },
    Author: { books: ({ name }) => books.filter(({ author }) => author === name) },
  };
};
const queries = [
  { query: '{ books { id title author { name books { title } } } }' },
  { query: 'mutation Add($t: String!) { add(title: $t, author: "bob") { id } }', variables: { t: 'two' } },
  { query: 'query ($n: Int) { books(first: $n) { title } who }', variables: { n: 1 } },
  { query: '{ fails books { id } }' },
  { query: '{ nothing }' },
  { query: '{' },
  { query: '{ __schema { queryType { name } } __typename }' },
];
async function ask(name, url) {
  for (const query of queries) {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(query),
      headers: { 'content-type': 'application/json', 'x-name': 'me' } });
    const { data, errors } = await response.json();
    console.log(name, response.status, JSON.stringify(data), errors?.map(({ message, path }) => [message, path]));
  }
}

const apollo = new ApolloServer({ typeDefs, resolvers: makeStore(), includeStacktraceInErrorResponses: false });
const { url } = await startStandaloneServer(apollo, { listen: { port: 0, host: '127.0.0.1' },
  context: async ({ req }) => ({ name: req.headers['x-name'] }) });
await ask('apollo', url);
await apollo.stop();

const yoga = createYoga({
  schema: createSchema({
    typeDefs: `${typeDefs} type Subscription { count(to: Int!): Int! }`,
    resolvers: { ...makeStore(), Subscription: { count: { async *subscribe(_, { to }) {
      for (let i = 1; i <= to; i++) yield { count: i };
    } } } },
  }),
  logging: false,
  context: ({ request }) => ({ name: request.headers.get('x-name') }),
});
const server = createServer(yoga);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `http://127.0.0.1:${server.address().port}/graphql`;
await ask('yoga', address);
const stream = await fetch(address, { method: 'POST', body: JSON.stringify({ query: 'subscription { count(to: 3) }' }),
  headers: { 'content-type': 'application/json', 'accept': 'text/event-stream' } });
console.log(stream.headers.get('content-type'), (await stream.text()).match(/\{.*\}/g));
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
console.log('closed');
