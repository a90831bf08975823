import BitpalJSON

/// The coins of the list that have no price here: known ones, their namesakes, bridged variants, and odd rows.
enum OtherCoins {
  /// One a line: `id;symbol;name`.
  static let table = """
    simulated-rate-limited;sim429;Simulated: rate limited
    simulated-cloudflare;sim403;Simulated: refused by Cloudflare
    staked-ether;steth;Lido Staked Ether
    wrapped-bitcoin;wbtc;Wrapped Bitcoin
    wrapped-steth;wsteth;Wrapped stETH
    the-open-network;ton;Toncoin
    weth;weth;WETH
    hyperliquid;hype;Hyperliquid
    ethena-usde;usde;Ethena USDe
    ethena;ena;Ethena
    wrapped-eeth;weeth;Wrapped eETH
    mantle;mnt;Mantle
    polygon-ecosystem-token;pol;POL (ex-MATIC)
    matic-network;matic;Polygon
    render-token;render;Render
    crypto-com-chain;cro;Cronos
    kaspa;kas;Kaspa
    arbitrum;arb;Arbitrum
    optimism;op;Optimism
    bittensor;tao;Bittensor
    fetch-ai;fet;Artificial Superintelligence Alliance
    celestia;tia;Celestia
    blockstack;stx;Stacks
    immutable-x;imx;Immutable
    injective-protocol;inj;Injective
    aave;aave;Aave
    the-graph;grt;The Graph
    sei-network;sei;Sei
    worldcoin-wld;wld;Worldcoin
    theta-token;theta;Theta Network
    fantom;ftm;Fantom
    sonic-3;s;Sonic
    lido-dao;ldo;Lido DAO
    maker;mkr;Maker
    thorchain;rune;THORChain
    ondo-finance;ondo;Ondo
    jupiter-exchange-solana;jup;Jupiter
    raydium;ray;Raydium
    pyth-network;pyth;Pyth Network
    floki;floki;FLOKI
    dogwifcoin;wif;dogwifhat
    fartcoin;fartcoin;Fartcoin
    official-trump;trump;Official Trump
    pudgy-penguins;pengu;Pudgy Penguins
    popcat;popcat;Popcat
    brett;brett;Brett
    mog-coin;mog;Mog Coin
    cat-in-a-dogs-world;mew;cat in a dogs world
    curve-dao-token;crv;Curve DAO
    compound-governance-token;comp;Compound
    yearn-finance;yfi;yearn.finance
    sushi;sushi;Sushi
    pancakeswap-token;cake;PancakeSwap
    1inch;1inch;1inch
    0x;zrx;0x Protocol
    dydx-chain;dydx;dYdX
    gmx;gmx;GMX
    pendle;pendle;Pendle
    ethereum-name-service;ens;Ethereum Name Service
    eigenlayer;eigen;Eigenlayer
    jito-governance-token;jto;Jito
    jito-staked-sol;jitosol;Jito Staked SOL
    msol;msol;Marinade Staked SOL
    rocket-pool-eth;reth;Rocket Pool ETH
    coinbase-wrapped-staked-eth;cbeth;Coinbase Wrapped Staked ETH
    coinbase-wrapped-btc;cbbtc;Coinbase Wrapped BTC
    frax;frax;Frax
    first-digital-usd;fdusd;First Digital USD
    usds;usds;USDS
    true-usd;tusd;TrueUSD
    paxos-standard;usdp;Pax Dollar
    paypal-usd;pyusd;PayPal USD
    euro-coin;eurc;EURC
    pax-gold;paxg;PAX Gold
    tether-gold;xaut;Tether Gold
    zcash;zec;Zcash
    dash;dash;Dash
    decred;dcr;Decred
    ravencoin;rvn;Ravencoin
    digibyte;dgb;DigiByte
    bitcoin-gold;btg;Bitcoin Gold
    bitcoin-cash-sv;bsv;Bitcoin SV
    ecash;xec;eCash
    namecoin;nmc;Namecoin
    nano;xno;Nano
    neo;neo;NEO
    gas;gas;Gas
    qtum;qtum;Qtum
    iota;iota;IOTA
    eos;eos;EOS
    tezos;xtz;Tezos
    elrond-erd-2;egld;MultiversX
    flow;flow;Flow
    mina-protocol;mina;Mina Protocol
    kava;kava;Kava
    secret;scrt;Secret
    osmosis;osmo;Osmosis
    terra-luna;lunc;Terra Luna Classic
    terra-luna-2;luna;Terra
    oasis-network;rose;Oasis
    zilliqa;zil;Zilliqa
    conflux-token;cfx;Conflux
    nervos-network;ckb;Nervos Network
    arweave;ar;Arweave
    helium;hnt;Helium
    livepeer;lpt;Livepeer
    basic-attention-token;bat;Basic Attention
    chiliz;chz;Chiliz
    decentraland;mana;Decentraland
    the-sandbox;sand;The Sandbox
    axie-infinity;axs;Axie Infinity
    gala;gala;GALA
    apecoin;ape;ApeCoin
    stepn;gmt;GMT
    gmt-token;gmt;Gomining Token
    singularitynet;agix;SingularityNET
    ankr;ankr;Ankr Network
    starknet;strk;Starknet
    strike;strk;Strike
    zksync;zk;ZKsync
    polyhedra-network;zkj;Polyhedra Network
    mantra-dao;om;MANTRA
    kucoin-shares;kcs;KuCoin
    quant-network;qnt;Quant
    flare-networks;flr;Flare
    trust-wallet-token;twt;Trust Wallet
    bittorrent;btt;BitTorrent
    ordinals;ordi;ORDI
    1000sats-ordinals;sats;SATS (Ordinals)
    notcoin;not;Notcoin
    dogs-2;dogs;Dogs
    hamster-kombat;hmstr;Hamster Kombat
    virtual-protocol;virtual;Virtuals Protocol
    ai16z;ai16z;ai16z
    io;io;io.net
    akash-network;akt;Akash Network
    beam-2;beam;Beam
    beam;beam;BEAM
    ronin;ron;Ronin
    wormhole;w;Wormhole
    layerzero;zro;LayerZero
    axelar;axl;Axelar
    harrypotterobamasonic10in;bitcoin;HarryPotterObamaSonic10Inu (ETH)
    bridged-tether-alpha;usdt;Bridged USDT (Alpha)
    bridged-tether-beta;usdt;Bridged USDT (Beta)
    bridged-tether-gamma;usdt;Bridged USDT (Gamma)
    bridged-tether-delta;usdt;Bridged USDT (Delta)
    bridged-tether-epsilon;usdt;Bridged Tether (Epsilon)
    bridged-tether-zeta;usdt;Bridged Tether (Zeta)
    tether-avalanche-bridged-simulated;usdt;Avalanche Bridged USDT
    tether-heco-simulated;usdt;Heco-Peg USDT
    tether-binance-peg-simulated;bsc-usd;Binance-Peg USDT
    bridged-usdc-alpha;usdc;Bridged USDC (Alpha)
    bridged-usdc-beta;usdc;Bridged USDC (Beta)
    bridged-usdc-gamma;usdc;Bridged USDC (Gamma)
    bridged-usdc-delta;usdc.e;Bridged USDC (Delta)
    usd-coin-wormhole-simulated;usdc;USD Coin (Wormhole)
    usd-coin-binance-peg-simulated;usdc;Binance-Peg USDC
    bridged-wrapped-bitcoin-alpha;wbtc;Bridged Wrapped Bitcoin (Alpha)
    bridged-wrapped-bitcoin-beta;wbtc;Bridged Wrapped Bitcoin (Beta)
    wrapped-bitcoin-sollet-simulated;sobtc;Wrapped Bitcoin (Sollet)
    bitcoin-avalanche-bridged-simulated;btc.b;Avalanche Bridged BTC
    bitcoin-peg-simulated;btc;Simulated Bitcoin Peg
    bitcoin-bep2-simulated;btcb;Binance Bitcoin
    osmosis-bitcoin-simulated;btc;Osmosis allBTC
    bitcoin-on-a-stick;btc;Bitcoin on a Stick
    blackrocktoken;btc;Black Rock Token Coin
    batcat;btc;batcat
    bridged-weth-alpha;weth;Bridged WETH (Alpha)
    bridged-weth-beta;weth;Bridged WETH (Beta)
    bridged-weth-gamma;weth;Bridged WETH (Gamma)
    weth-plenty-simulated;weth;WETH (Plenty Bridge)
    ethereum-peg-simulated;eth;Simulated Ethereum Peg
    ethereum-wormhole-simulated;eth;Ethereum (Wormhole)
    etherland;eth;Etherland
    bridged-ether-alpha;eth;Bridged Ether (Alpha)
    bridged-ether-beta;eth;Bridged Ether (Beta)
    wrapped-solana;sol;Wrapped SOL
    solana-wormhole-simulated;sol;SOL (Wormhole)
    sola-x;sol;Sola-X
    solbridge;sol;SolBridge
    binance-peg-dogecoin-simulated;doge;Binance-Peg Dogecoin
    department-of-efficient-geese;doge;Department Of Efficient Geese
    dogecoin-2;doge2;Dogecoin 2.0
    buff-doge-coin;dogecoin;Buff Doge Coin
    binance-peg-xrp-simulated;xrp;Binance-Peg XRP
    warioxrpdumbledoreyugioh69inu;xrp;WarioXRPDumbledoreYugioh69Inu
    binance-peg-cardano-simulated;ada;Binance-Peg Cardano
    ada-the-dog;ada;ADA the Dog
    binance-peg-avalanche-simulated;avax;Binance-Peg Avalanche
    binance-peg-litecoin-simulated;ltc;Binance-Peg Litecoin
    binance-peg-polkadot-simulated;dot;Binance-Peg Polkadot
    xrpl-dot-com;dot;Dot Dot Dot
    wrapped-avax;wavax;Wrapped AVAX
    wbnb;wbnb;Wrapped BNB
    wrapped-near;wnear;Wrapped Near
    wrapped-tron;wtrx;Wrapped Tron
    bonk-on-eth;bonk;Bonk on ETH
    bonk-2-0-sol;bonk2.0;Bonk 2.0
    pepe-2-0;pepe2.0;Pepe 2.0
    pepe-on-solana;pepe;Pepe on SOL
    pepe-inverted;ƎԀƎԀ;Pepe Inverted
    sui-name-tag;sui;Sui Name Tag
    salmon-uniswap;uni;Salmon Uniswap
    unicorn-token;uni;UNICORN Token
    linkeye;link;LinkEye
    near-miss;near;Near Miss
    cosmos-flowers;atom;Cosmos Flowers
    stellar-dust;xlm;Stellar Dust
    graphite;@g;Graphite
    one-cent;¢;One Cent
    simu coin;simu;Simu Coin
    marketdao-[old];mdao;MarketDAO [OLD]
    marketdao;mdao;MarketDAO
    simCNY;simcny;simCNY
    simEUR;simeur;simEUR
    _;undr;Underscore
    snake_case_coin;snake;Snake Case Coin
    -7;minus7;Minus Seven
    42;42;42
    007;bond;Double-O Seven
    100-percent;100%;100%
    question?;huh;Question?
    salt-and-pepper;s&p;Salt & Pepper
    less-than-three;<3;Less Than Three
    quote-coin;quot;"Quote" Coin
    back-slash;\\\\;Back\\Slash
    blank-symbol;;Blank Symbol
    spaced-symbol;my sim;Spaced Symbol
    dollar-sign;$sim;Dollar Sign
    long-symbol;averyveryverylongsymbolforasimulatedcoin;Long Symbol
    frog-pond;frog;\u{1F438} Frog Pond
    rocket-moon;\u{1F680};\u{1F680}\u{1F315}
    family-token;fam;Family \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} Token
    flag-coin;flag;\u{1F1E8}\u{1F1ED} Coin
    simulated-dirham;dirs;درهم رقمي
    simulated-shekel;shks;שקל דיגיטלי
    wide-coin;ｗｉｄｅ;Ｗｉｄｅ　Ｃｏｉｎ
    simulated-yuan;元;模拟元
    simulated-yen;えん;シミュレーション円
    simulated-won;원;모의 원화
    simulated-ruble;руб;Учебный рубль
    kafe-coin;café;Cafe\u{301} Coin
    zalgo-coin;zlg;Z\u{337}a\u{335}l\u{334}g\u{338}o\u{336}
    invisible-joiner;inv;In\u{200B}visible
    moonshot-alpha;moon;Moonshot
    moonshot-beta;moon;Moonshot
    moonshot-gamma;moons;Moonshot
    safe-moon-rover;rover;Safe Moon Rover
    paper-hands;paper;Paper Hands
    diamond-hands;diamond;Diamond Hands
    lambo-fund;lambo;Lambo Fund
    hold-on-dear-life;hodl;Hold On Dear Life
    number-go-up;ngu;Number Go Up
    magic-internet-money-simulated;mim;Magic Internet Money
    tulip-bulb;tulip;Tulip Bulb
    south-sea-share;ssea;South Sea Share
    sea-shell;shell;Sea Shell
    rai-stone;stone;Rai Stone
    cowrie;cowrie;Cowrie
    salt-bar;amole;Salt Bar
    giga-chad-cat;gcc;Giga Chad Cat
    sleepy-sloth-simulated;sloth;Sleepy Sloth
    duck-in-a-row;duck;Duck in a Row
    pizza-for-10000;pizza;Pizza for 10,000
    """
}
